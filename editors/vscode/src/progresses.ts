/**
 * Progress of checks: counted for the status item, and shown with a Cancel button where the person asked for the check.
 * What runs by itself after a save stays in the status bar.
 */

import * as vscode from "vscode";
import type { LanguageClient, ProgressToken } from "vscode-languageclient/node";
import { type Count, Tally, type WorkDone } from "./tally";

interface Bar {
  report(message: string): void;
  close(): void;
}

export class Progresses {
  readonly #tally = new Tally();
  readonly #bars = new Map<ProgressToken, Bar>();
  readonly #changed: (count: Count) => void;
  #client: LanguageClient | undefined;
  #asked = false;

  constructor(changed: (count: Count) => void) {
    this.#changed = changed;
  }

  attach(client: LanguageClient): void {
    this.#client = client;
  }

  detach(): void {
    this.#client = undefined;
    for (const bar of this.#bars.values()) bar.close();
    this.#bars.clear();
    this.#changed(this.#tally.clear());
  }

  /** The person asked for checks: those that begin from now until the next save are shown with a button. */
  asked(): void {
    this.#asked = true;
  }

  /** From now on checks begin by themselves. */
  saved(): void {
    this.#asked = false;
  }

  /** Sees every progress report; `next` is the client's own way of showing it, in the status bar without a button. */
  note(token: ProgressToken, value: WorkDone, next: () => void): void {
    this.#changed(this.#tally.note(token, value));
    if (value.kind === "begin" && this.#asked) this.#bars.set(token, this.#open(token, value.title));
    const bar = this.#bars.get(token);
    if (!bar) {
      next();
    } else if (value.kind === "report" && value.message) {
      bar.report(value.message);
    } else if (value.kind === "end") {
      bar.close();
      this.#bars.delete(token);
    }
  }

  #open(token: ProgressToken, title: string): Bar {
    let close: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    let report: (message: string) => void = () => undefined;
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, (progress, cancelled) => {
      report = (message) => progress.report({ message });
      cancelled.onCancellationRequested(() => this.#cancel(token));
      return closed;
    });
    return { report: (message) => report(message), close: () => close() };
  }

  #cancel(token: ProgressToken): void {
    void this.#client?.sendNotification("window/workDoneProgress/cancel", { token });
  }
}
