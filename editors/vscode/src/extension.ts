/** The extension's own main: wires the parts to the editor. The language server does the work. */

import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { type Connection, Lifecycle } from "./lifecycle";
import { onKeyChanged, storedKey } from "./model";
import { Notices } from "./notices";
import { Progresses } from "./progresses";
import { onInterpreterChanged } from "./pythonExtension";
import type { Sections } from "./settings";
import { environmentFor, Setup } from "./setup";
import type { Spent, State } from "./status";
import { StatusItem } from "./statusItem";
import { Trouble } from "./trouble";

export class Extension {
  readonly log = vscode.window.createOutputChannel("mpt", { log: true });
  readonly setup: Setup;
  readonly lifecycle: Lifecycle;
  readonly context: vscode.ExtensionContext;
  readonly #item = new StatusItem();
  readonly #notices = new Notices();
  readonly #progresses = new Progresses((count) => this.#item.count(count));
  #state: State = { kind: "stopped" };

  constructor(context: vscode.ExtensionContext) {
    this.context = context;
    this.setup = new Setup(context, this.log);
    this.lifecycle = new Lifecycle({
      find: () => this.#find(),
      connect: (command, died) => this.#connect(command, died),
      show: (state) => this.#show(state),
      tell: (problem) => void this.#tell(problem),
      now: () => performance.now(),
    });
    const { restart } = this.lifecycle;
    context.subscriptions.push(
      { dispose: () => this.lifecycle.end() },
      this.log,
      this.#item,
      registerCommands(this),
      onKeyChanged(context.secrets, () => void restart()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("mpt.server") || event.affectsConfiguration("http.proxy"))
          void restart();
      }),
    );
    void this.#follow(restart);
  }

  get running(): boolean {
    return this.#state.kind === "running";
  }

  /** As the server knows the document: what vscode-languageclient sends. */
  uriOf(document: vscode.TextDocument): string {
    return document.uri.toString();
  }

  async offerSetUp(): Promise<void> {
    await this.#notices.show("info", OFFER, {
      "Set Up": () => this.setUp(),
      "Open Settings": openSettings,
    });
  }

  /** Makes the environment and starts the server from it. */
  async setUp(): Promise<void> {
    try {
      if (await this.setup.make()) await this.lifecycle.restartAfresh();
    } catch (error) {
      const reason = error instanceof Trouble ? error.message : String(error);
      this.#show({ kind: "problem", reason });
      await this.#notices.show("error", reason, {
        "Try Again": () => this.setUp(),
        "Open Settings": openSettings,
        "Show Log": () => this.log.show(),
      });
    }
  }

  async #find(): Promise<readonly string[] | undefined> {
    const command = await this.setup.command();
    if (!command) void this.offerSetUp();
    return command;
  }

  async #connect(command: readonly string[], died: (lastWords: string) => void): Promise<Connection> {
    const { log, context } = this;
    const sections: Sections = context.extension.packageJSON.contributes.configuration;
    const env = environmentFor(await storedKey(context.secrets));
    const cwd = this.setup.cwd;
    const { connect } = await import("./client"); // it brings vscode-languageclient, which would slow down the activation
    const spent = (today: Spent): void => this.#item.spent(today);
    return connect({ command, cwd, env, log, sections, progresses: this.#progresses, spent, died });
  }

  #show(state: State): void {
    this.#state = state;
    this.#item.state(state);
    if (state.kind === "problem") this.log.error(state.reason);
  }

  #tell(problem: string): Promise<void> {
    return this.#notices.show("error", problem, {
      "Try Again": () => this.lifecycle.restartAfresh(),
      "Set Up": () => this.setUp(),
      "Open Settings": openSettings,
      "Show Log": () => this.log.show(),
    });
  }

  async #follow(restart: () => Promise<void>): Promise<void> {
    const listening = await onInterpreterChanged(() => void restart());
    if (listening) this.context.subscriptions.push(listening);
  }
}

const OFFER =
  "the language server is not installed. It can make a Python environment of its own for it, from the Python package index.";

function openSettings(): Thenable<unknown> {
  return vscode.commands.executeCommand("workbench.action.openSettings", "mpt.server");
}

export function activate(context: vscode.ExtensionContext): void {
  const { lifecycle } = new Extension(context);
  void lifecycle.restart();
}
