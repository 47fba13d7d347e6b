/** How far the checks are, counted from the server's progress reports. */

export type WorkDone =
  | { readonly kind: "begin"; readonly title: string; readonly message?: string | undefined }
  | { readonly kind: "report"; readonly message?: string | undefined }
  | { readonly kind: "end"; readonly message?: string | undefined };

export interface Count {
  /** Checks since nothing was being checked, and how many of them have ended. */
  readonly all: number;
  readonly done: number;
  /** One line for each that goes on. */
  readonly running: readonly string[];
  /** What was said of the last one that ended. */
  readonly last: string;
}

export class Tally {
  readonly #running = new Map<string | number, { title: string; message: string }>();
  #all = 0;
  #last = "";

  note(token: string | number, value: WorkDone): Count {
    if (value.kind === "begin") {
      if (this.#running.size === 0) this.#all = 0;
      this.#all += 1;
      this.#running.set(token, { title: value.title, message: value.message ?? "" });
    } else if (value.kind === "report") {
      const check = this.#running.get(token);
      if (check) check.message = value.message ?? check.message;
    } else {
      this.#end(token, value.message ?? "");
    }
    return this.count();
  }

  /** The server is gone, and its checks with it. */
  clear(): Count {
    this.#running.clear();
    return this.count();
  }

  count(): Count {
    const running = [...this.#running.values()].map(({ title, message }) =>
      message ? `${title}: ${message}` : title,
    );
    return { all: this.#all, done: this.#all - running.length, running, last: this.#last };
  }

  #end(token: string | number, message: string): void {
    const check = this.#running.get(token);
    if (check) this.#last = message ? `${check.title}: ${message}` : check.title;
    this.#running.delete(token);
  }
}
