/**
 * What the person set, and nothing else: a default of the editor's, sent along, would override what a project's
 * pyproject.toml or the person's settings file says.
 */

export interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

interface Declared {
  readonly scope: string;
}

/** A package.json's `contributes.configuration`. */
export type Sections = readonly { readonly properties: Readonly<Record<string, Declared>> }[];

const PREFIX = "mpt.";
const OURS = "mpt.server.";

/** What the server is told when it asks for the section "mpt". A workspace never sets what is not its business. */
export function setByPerson(
  sections: Sections,
  inspect: (name: string) => Inspected | undefined,
): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const [key, { scope }] of sections.flatMap(({ properties }) => Object.entries(properties))) {
    if (key.startsWith(OURS)) continue;
    const name = key.slice(PREFIX.length);
    const value = chosen(inspect(name), scope === "machine");
    if (value !== undefined) told[name] = value;
  }
  return told;
}

function chosen(found: Inspected | undefined, personOnly: boolean): unknown {
  return personOnly
    ? found?.globalValue
    : (found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue);
}

/** The environment in which the server and what sets it up run. proxy: VS Code's own setting, "" for none. */
export function childEnvironment(
  base: NodeJS.ProcessEnv,
  proxy: string,
  key: string | undefined,
): NodeJS.ProcessEnv {
  return {
    ...base,
    ...(proxy && { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }),
    ...(key && { MPT_API_KEY: key }),
  };
}
