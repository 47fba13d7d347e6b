/** Finding the command that starts the server, and making the environment that has it. */

import { mkdir } from "node:fs/promises";
import * as vscode from "vscode";
import { makeEnvironment, pythonOf } from "./environment";
import { type Candidate, described, findPython, findServer, type Probed, probe, speaksWith } from "./python";
import { activeInterpreter } from "./pythonExtension";
import { run } from "./run";
import { childEnvironment } from "./settings";
import { Trouble } from "./trouble";

export class Setup {
  /** A folder of our own, empty of Python files: the server runs in it, so that no file of a workspace is imported. */
  readonly cwd: string;
  readonly #environments: string;
  readonly #wheel: string;
  readonly #version: string;
  readonly #log: vscode.LogOutputChannel;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.cwd = vscode.Uri.joinPath(context.globalStorageUri, "server").fsPath;
    this.#environments = vscode.Uri.joinPath(context.globalStorageUri, "environments").fsPath;
    this.#version = context.extension.packageJSON.version;
    const wheel = `metamorphic_prompt_testing-${this.#version}-py3-none-any.whl`;
    this.#wheel = context.asAbsolutePath(`wheel/${wheel}`);
    this.#log = log;
  }

  /** The person's own command; else the first Python that has the server; undefined: there is none. Rejects with Trouble. */
  async command(): Promise<readonly string[] | undefined> {
    await this.#makeCwd();
    const set = vscode.workspace.getConfiguration("mpt").get<string[]>("server.command", []);
    if (set.length > 0) return this.#checked(set);
    const python = await this.python();
    return python ? [python, "-m", "mpt_server"] : undefined;
  }

  /** The Python that has the server. */
  async python(): Promise<string | undefined> {
    const active = await activeInterpreter();
    const candidates: Candidate[] = [
      ...(active ? [{ python: active, name: "the Python extension's interpreter" }] : []),
      { python: pythonOf(this.#environments, this.#wheel), name: "mpt's own environment" },
    ];
    const found = await findServer(candidates, this.#look, (line) => this.#log.info(line));
    return found?.python;
  }

  /** Makes the environment, with progress and a Cancel button. False: cancelled. Rejects with Trouble. */
  async make(): Promise<boolean> {
    await this.#makeCwd();
    const options = { location: vscode.ProgressLocation.Notification, title: "mpt", cancellable: true };
    return vscode.window.withProgress(options, async (progress, cancelled) => {
      const aborter = new AbortController();
      cancelled.onCancellationRequested(() => aborter.abort());
      try {
        await this.#make((message) => progress.report({ message }), aborter.signal);
        return true;
      } catch (error) {
        if (aborter.signal.aborted) return false;
        throw error;
      }
    });
  }

  async #make(say: (doing: string) => void, signal: AbortSignal): Promise<void> {
    const active = await activeInterpreter();
    const pythons = [...(active ? [active] : []), ...PYTHONS];
    await makeEnvironment({
      folder: this.#environments,
      wheel: this.#wheel,
      env: environmentFor(undefined),
      signal,
      run,
      findPython: () => findPython(pythons, this.#look),
      say,
      log: (line) => this.#log.info(line),
    });
  }

  async #checked(command: readonly string[]): Promise<readonly string[]> {
    const [first = "", ...rest] = command;
    const ran = await run(first, [...rest, "--version"], { cwd: this.cwd, timeoutMs: 20_000 }).catch(
      (error) => {
        throw new Trouble(`The setting mpt.server.command cannot be run: ${error.message}`);
      },
    );
    const version = /^mpt-server (\S+)/m.exec(ran.stdout)?.[1];
    if (!version) throw new Trouble("The setting mpt.server.command does not start mpt's language server.");
    if (speaksWith(version, this.#version)) return command;
    const probed: Probed = { kind: "other-server", version };
    throw new Trouble(`The command of the setting mpt.server.command ${described(probed)}.`);
  }

  readonly #look = (python: string): Promise<Probed> => probe(python, this.#version, run, this.cwd);

  async #makeCwd(): Promise<void> {
    await mkdir(this.cwd, { recursive: true }).catch((error: Error) => {
      throw new Trouble(`The extension's own folder cannot be made: ${error.message}`);
    });
  }
}

const PYTHONS = ["python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"];

/** The environment of what this extension starts. */
export function environmentFor(key: string | undefined): NodeJS.ProcessEnv {
  const proxy = vscode.workspace.getConfiguration("http").get<string>("proxy") ?? "";
  return childEnvironment(process.env, proxy, key);
}
