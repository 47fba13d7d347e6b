/** Counts the server's crashes, so that one that cannot live is not started for ever. */
export class Crashes {
  readonly #times: number[] = [];
  readonly #now: () => number;

  /** now: milliseconds that only grow. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes one. False: it has crashed more than `MOST` times within `WINDOW_MS`, and is not to be started again. */
  again(): boolean {
    this.#times.push(this.#now());
    const recent = this.#times.filter((time) => time > this.#now() - WINDOW_MS);
    return recent.length <= MOST;
  }

  forget(): void {
    this.#times.length = 0;
  }
}

export const MOST = 3;
export const WINDOW_MS = 180_000;
