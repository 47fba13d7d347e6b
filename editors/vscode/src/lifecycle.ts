/**
 * The life of the language server.
 *
 * Rule 1: there is at most one, and starts never overlap (`singleFlight`).
 * Rule 2: one that dies is started again, but not for ever (`Crashes`).
 * Rule 3: what goes wrong is told once; nothing is told again before the person did something about it.
 */

import { Crashes } from "./crashes";
import { singleFlight } from "./singleFlight";
import type { State } from "./status";
import { Trouble } from "./trouble";

export interface Connection {
  /** The server's own version. */
  readonly version: string;
  /** Never rejects: a server that does not end by itself is killed. */
  stop(): Promise<void>;
}

export interface Surroundings {
  /** The command to start; undefined: there is none yet, and the person has been told. */
  find(): Promise<readonly string[] | undefined>;
  /** Starts it. `died` is called, with its last words, when it ends without having been stopped. */
  connect(command: readonly string[], died: (lastWords: string) => void): Promise<Connection>;
  show(state: State): void;
  tell(problem: string): void;
  now(): number;
}

export class Lifecycle {
  /** Starts the server; where one runs, in its place. Never rejects: what goes wrong is told. */
  readonly restart: () => Promise<void>;

  readonly #around: Surroundings;
  readonly #crashes: Crashes;
  #connection: Connection | undefined;
  #ended = false;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#crashes = new Crashes(() => around.now());
    this.restart = singleFlight(() => this.#replace());
  }

  /** The person asks for it: earlier crashes are forgotten. */
  async restartAfresh(): Promise<void> {
    this.#crashes.forget();
    await this.restart();
  }

  /** Stops it for good. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#stop();
  }

  async #replace(): Promise<void> {
    await this.#stop();
    if (this.#ended) return;
    this.#around.show({ kind: "starting" });
    try {
      const command = await this.#around.find();
      if (command) await this.#start(command);
      else this.#around.show({ kind: "stopped" });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#fail(error instanceof Trouble ? reason : `The language server did not start: ${reason}`);
    }
  }

  async #start(command: readonly string[]): Promise<void> {
    let mine: Connection | undefined;
    let dead = false;
    mine = await this.#around.connect(command, (lastWords) => {
      dead = true;
      if (mine) this.#died(mine, lastWords);
    });
    if (dead) throw new Error("it ended as soon as it was there");
    this.#connection = mine;
    if (this.#ended) await this.#stop();
    else this.#around.show({ kind: "running", version: mine.version });
  }

  async #stop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.stop();
  }

  #died(connection: Connection, lastWords: string): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    if (this.#crashes.again()) void this.restart();
    else this.#fail(`The language server keeps ending: ${lastWords}`);
  }

  #fail(reason: string): void {
    this.#around.show({ kind: "problem", reason });
    this.#around.tell(reason);
  }
}
