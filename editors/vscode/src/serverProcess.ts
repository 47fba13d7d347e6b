/** The server's process, and what it said before it died. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { lastLine } from "./python";

export interface ServerProcess {
  readonly child: ChildProcess;
  /** What is known of its end, in one line. */
  lastWords(): string;
  /** Waits for its end; one that does not come is brought about. */
  ended(): Promise<void>;
}

const KEPT = 4000;
const PATIENCE_MS = 2000;

/** Rejects where it cannot be started. */
export function startServer(
  [command = "", ...args]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<ServerProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: "pipe", windowsHide: true });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-KEPT);
    });
    child.once("error", reject);
    child.once("spawn", () =>
      resolve({ child, lastWords: () => lastWords(child, stderr), ended: () => ended(child) }),
    );
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const patience = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await once(child, "exit");
  clearTimeout(patience);
}

function lastWords({ exitCode, signalCode }: ChildProcess, stderr: string): string {
  const end = signalCode ? `killed by ${signalCode}` : exitCode === null ? "" : `exit code ${exitCode}`;
  return [lastLine(stderr), end].filter(Boolean).join(", ") || "it closed the connection";
}
