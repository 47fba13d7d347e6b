/** Programs that are run to their end, and what they said. */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface Ran {
  /** null: ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Ends the program when it fires; the promise then rejects with an AbortError. */
  readonly signal?: AbortSignal;
  /** Milliseconds after which it is ended, with a TimeoutError; default: never. */
  readonly timeoutMs?: number;
  /** Called with each line it prints, on either channel. */
  readonly onLine?: (line: string) => void;
}

export type Run = (command: string, args: readonly string[], options?: RunOptions) => Promise<Ran>;

/** Rejects where the program cannot be started: ENOENT, EACCES. */
export const run: Run = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const { cwd, env, signal, timeoutMs, onLine } = options;
    const child = spawn(command, args, {
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      ...(cwd && { cwd }),
      ...(env && { env }),
      signal: AbortSignal.any([
        ...(signal ? [signal] : []),
        ...(timeoutMs ? [AbortSignal.timeout(timeoutMs)] : []),
      ]),
    });
    const said = { stdout: "", stderr: "" };
    for (const channel of ["stdout", "stderr"] as const) {
      createInterface({ input: child[channel] }).on("line", (line) => {
        said[channel] += `${line}\n`;
        onLine?.(line);
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...said }));
  });
