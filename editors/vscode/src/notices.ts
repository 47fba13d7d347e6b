/** Notifications: one at a time, each with a button that helps. */

import * as vscode from "vscode";

/** What a button does, by its label. */
export type Buttons = Readonly<Record<string, () => unknown>>;

export class Notices {
  #open = false;

  /** Shows it unless one is open already; the status item and the log have what is left out. */
  async show(severity: "error" | "info", message: string, buttons: Buttons): Promise<void> {
    if (this.#open) return;
    this.#open = true;
    try {
      const ask =
        severity === "error" ? vscode.window.showErrorMessage : vscode.window.showInformationMessage;
      const pressed = await ask(`mpt: ${message}`, ...Object.keys(buttons));
      this.#open = false;
      if (pressed) await buttons[pressed]?.();
    } finally {
      this.#open = false;
    }
  }
}
