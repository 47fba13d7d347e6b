/** Which Python has the language server, and which one could. */

import type { Run } from "./run";

/** What there is behind the name of a Python. */
export type Probed =
  | { readonly kind: "server"; readonly version: string }
  | { readonly kind: "other-server"; readonly version: string }
  | { readonly kind: "no-server"; readonly python: string }
  | { readonly kind: "too-old"; readonly python: string }
  | { readonly kind: "broken"; readonly reason: string };

/** A Python to look at, and how to call it when telling the person of it. */
export interface Candidate {
  readonly python: string;
  readonly name: string;
}

export const OLDEST = [3, 11] as const;

const PROBE_MS = 20_000;

/** Runs on any Python, the second one too. */
const PROBE = `
import json, sys
server = None
if sys.version_info >= (3, 8):
    from importlib import metadata
    try:
        server = metadata.version("metamorphic-prompt-testing")
    except metadata.PackageNotFoundError:
        pass
print(json.dumps({"python": "%d.%d.%d" % sys.version_info[:3], "server": server}))
`;

/** wanted: this extension's own version; a server of the same major and minor version speaks with it. */
export async function probe(python: string, wanted: string, run: Run, cwd: string): Promise<Probed> {
  try {
    const { code, stdout, stderr } = await run(python, ["-c", PROBE], { cwd, timeoutMs: PROBE_MS });
    if (code !== 0)
      return { kind: "broken", reason: lastLine(stderr) || `it ends with ${code ?? "a signal"}` };
    return read(stdout, wanted);
  } catch (error) {
    return { kind: "broken", reason: error instanceof Error ? error.message : String(error) };
  }
}

function read(stdout: string, wanted: string): Probed {
  const found = JSON.parse(lastLine(stdout)) as { python: string; server: string | null };
  if (olderThan(found.python)) return { kind: "too-old", python: found.python };
  if (found.server === null) return { kind: "no-server", python: found.python };
  return { kind: speaksWith(found.server, wanted) ? "server" : "other-server", version: found.server };
}

/** The first candidate that has the server. `note` hears why each of the others was passed over. */
export async function findServer(
  candidates: readonly Candidate[],
  look: (python: string) => Promise<Probed>,
  note: (line: string) => void,
): Promise<Candidate | undefined> {
  for (const candidate of candidates) {
    const probed = await look(candidate.python);
    if (probed.kind === "server") return candidate;
    note(`${candidate.name} (${candidate.python}) ${described(probed)}`);
  }
  return undefined;
}

/** The first that is new enough to hold the server. */
export async function findPython(
  candidates: readonly string[],
  look: (python: string) => Promise<Probed>,
): Promise<string | undefined> {
  for (const python of candidates) {
    const { kind } = await look(python);
    if (kind !== "broken" && kind !== "too-old") return python;
  }
  return undefined;
}

export function described(probed: Probed): string {
  switch (probed.kind) {
    case "server":
      return `has the language server ${probed.version}`;
    case "other-server":
      return `has the language server ${probed.version}, which this version of the extension does not speak with`;
    case "no-server":
      return `is Python ${probed.python}, without the language server`;
    case "too-old":
      return `is Python ${probed.python}; at least ${OLDEST.join(".")} is needed`;
    case "broken":
      return `cannot be used: ${probed.reason}`;
  }
}

export function speaksWith(server: string, wanted: string): boolean {
  const [major, minor] = server.split(".");
  const [wantedMajor, wantedMinor] = wanted.split(".");
  return major === wantedMajor && minor === wantedMinor;
}

function olderThan(python: string): boolean {
  const [major = 0, minor = 0] = python.split(".").map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

/** The last line that says something. */
export function lastLine(text: string): string {
  return text.trimEnd().split(/\r?\n/).at(-1)?.trim() ?? "";
}
