/** The extension's own Python environment: made once a version, from the wheel that the extension carries. */

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { OLDEST } from "./python";
import type { Run } from "./run";
import { explain, Trouble } from "./trouble";

export interface Making {
  /** Where environments live; made where it is missing. */
  readonly folder: string;
  readonly wheel: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly run: Run;
  /** Finds a Python that is new enough, for want of uv; undefined: there is none. */
  readonly findPython: () => Promise<string | undefined>;
  /** Hears, in a few words, what is being done. */
  readonly say: (doing: string) => void;
  /** Hears each line that is printed on the way. */
  readonly log: (line: string) => void;
}

/** The Python of the environment for this wheel, whether it is there yet or not. */
export function pythonOf(folder: string, wheel: string): string {
  return pythonIn(join(folder, basename(wheel, ".whl")));
}

function pythonIn(environment: string): string {
  return process.platform === "win32"
    ? join(environment, "Scripts", "python.exe")
    : join(environment, "bin", "python");
}

/**
 * Makes it, and removes those of other versions. It appears in one step, so another window sees all of it or nothing;
 * where two windows make it at once, the first one's stays. Rejects with Trouble, or an AbortError.
 */
export async function makeEnvironment(making: Making): Promise<string> {
  const { folder, wheel } = making;
  const place = join(folder, basename(wheel, ".whl"));
  try {
    await mkdir(folder, { recursive: true });
    const draft = await mkdtemp(join(folder, ".draft-"));
    try {
      await fill(draft, making);
      await takePlace(draft, place);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    await removeOthers(folder, basename(place));
  } catch (error) {
    throw making.signal.aborted || error instanceof Trouble ? error : new Trouble(explain(String(error)));
  }
  return pythonIn(place);
}

async function fill(draft: string, making: Making): Promise<void> {
  const wanted = `metamorphic-prompt-testing[local] @ ${pathToFileURL(making.wheel)}`;
  const python = pythonIn(draft);
  making.say("making a Python environment");
  if (await has("uv", making)) {
    await must("uv", ["venv", "--allow-existing", "--python", `>=${OLDEST.join(".")}`, draft], making);
    making.say("installing the language server");
    await must("uv", ["pip", "install", "--python", python, wanted], making);
  } else {
    await must(await basePython(making), ["-m", "venv", draft], making);
    making.say("installing the language server");
    await must(python, ["-m", "pip", "install", "--disable-pip-version-check", wanted], making);
  }
}

async function basePython(making: Making): Promise<string> {
  const found = await making.findPython();
  if (found) return found;
  throw new Trouble(`No Python ${OLDEST.join(".")} or later was found, and no uv that could bring one.`);
}

async function has(command: string, making: Making): Promise<boolean> {
  return making.run(command, ["--version"], { env: making.env }).then(
    ({ code }) => code === 0,
    () => false,
  );
}

async function must(command: string, args: readonly string[], making: Making): Promise<void> {
  making.log(`> ${[command, ...args].join(" ")}`);
  const { env, signal, log, folder } = making;
  const { code, stdout, stderr } = await making.run(command, args, { cwd: folder, env, signal, onLine: log });
  if (code !== 0) throw new Trouble(explain(`${stdout}\n${stderr}`));
}

async function takePlace(draft: string, place: string): Promise<void> {
  try {
    await rename(draft, place);
  } catch (error) {
    if (!existsSync(pythonIn(place))) throw error;
  }
}

async function removeOthers(folder: string, kept: string): Promise<void> {
  const others = (await readdir(folder)).filter((name) => name !== kept && !name.startsWith(".draft-"));
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
