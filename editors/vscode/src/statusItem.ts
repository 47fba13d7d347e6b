/** The item in the status bar: there while a Python document is in front, and whenever something is wrong. */

import * as vscode from "vscode";
import { type Spent, type State, shown } from "./status";
import type { Count } from "./tally";

export class StatusItem implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem("mpt.status", vscode.StatusBarAlignment.Right, 10);
  readonly #listening: vscode.Disposable;
  #state: State = { kind: "stopped" };
  #count: Count = { all: 0, done: 0, running: [], last: "" };
  #spent: Spent = { calls: 0, tokens: 0 };

  constructor() {
    this.#item.name = "mpt";
    this.#item.command = "mpt.menu";
    this.#listening = vscode.window.onDidChangeActiveTextEditor(() => this.#show());
    this.#show();
  }

  state(state: State): void {
    this.#state = state;
    void vscode.commands.executeCommand("setContext", "mpt.serverRunning", state.kind === "running");
    this.#show();
  }

  count(count: Count): void {
    this.#count = count;
    this.#show();
  }

  spent(spent: Spent): void {
    this.#spent = spent;
    this.#show();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#item.dispose();
  }

  #show(): void {
    const { text, tooltip, warns } = shown(this.#state, this.#count, this.#spent);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.backgroundColor = warns ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    const relevant = warns || vscode.window.activeTextEditor?.document.languageId === "python";
    if (relevant) this.#item.show();
    else this.#item.hide();
  }
}
