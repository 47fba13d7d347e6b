import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST, WINDOW_MS } from "../src/crashes";
import { type Connection, Lifecycle, type Surroundings } from "../src/lifecycle";
import type { State } from "../src/status";
import { Trouble } from "../src/trouble";

interface Started {
  readonly connection: Connection;
  die(lastWords: string): void;
}

/** Surroundings that keep what happens to them. */
class Stage implements Surroundings {
  readonly started: Started[] = [];
  readonly states: State[] = [];
  readonly told: string[] = [];
  stopped = 0;
  command: readonly string[] | undefined = ["mpt-server"];
  failure: Error | undefined;
  time = 0;

  async find() {
    return this.command;
  }
  async connect(_: readonly string[], died: (lastWords: string) => void): Promise<Connection> {
    if (this.failure) throw this.failure;
    const connection = {
      version: "0.1.0",
      stop: async () => {
        this.stopped += 1;
      },
    };
    this.started.push({ connection, die: died });
    return connection;
  }
  show(state: State) {
    this.states.push(state);
  }
  tell(problem: string) {
    this.told.push(problem);
  }
  now() {
    return this.time;
  }
  get last() {
    return this.states.at(-1);
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a restart stops the old server before it starts the new one", async () => {
  const stage = new Stage();
  const life = new Lifecycle(stage);
  await life.restart();
  await life.restart();
  assert.equal(stage.started.length, 2);
  assert.equal(stage.stopped, 1);
  assert.deepEqual(stage.last, { kind: "running", version: "0.1.0" });
});

test("a server that dies is started again, so many times, and then the reason is told once", async () => {
  const stage = new Stage();
  const life = new Lifecycle(stage);
  await life.restart();
  for (let crash = 0; crash < 10; crash += 1) {
    stage.started.at(-1)?.die("MemoryError, exit code 1");
    await turn();
  }
  assert.equal(stage.started.length, 1 + MOST);
  assert.deepEqual(stage.told, ["The language server keeps ending: MemoryError, exit code 1"]);
  assert.equal(stage.last?.kind, "problem");
});

test("crashes long apart never add up", async () => {
  const stage = new Stage();
  const life = new Lifecycle(stage);
  await life.restart();
  for (let crash = 0; crash < 10; crash += 1) {
    stage.time += WINDOW_MS + 1;
    stage.started.at(-1)?.die("killed by SIGKILL");
    await turn();
  }
  assert.equal(stage.started.length, 11);
  assert.deepEqual(stage.told, []);
});

test("the person's own restart forgets earlier crashes", async () => {
  const stage = new Stage();
  const life = new Lifecycle(stage);
  await life.restart();
  for (let crash = 0; crash <= MOST; crash += 1) {
    stage.started.at(-1)?.die("");
    await turn();
  }
  await life.restartAfresh();
  stage.started.at(-1)?.die("");
  await turn();
  assert.deepEqual(stage.last, { kind: "running", version: "0.1.0" });
  assert.equal(stage.told.length, 1);
});

test("the late death of a server that was replaced changes nothing", async () => {
  const stage = new Stage();
  const life = new Lifecycle(stage);
  await life.restart();
  await life.restart();
  stage.started[0]?.die("killed by SIGTERM");
  await turn();
  assert.equal(stage.started.length, 2);
});

test("where there is no server, nothing is started", async () => {
  const stage = new Stage();
  stage.command = undefined;
  await new Lifecycle(stage).restart();
  assert.deepEqual(stage.last, { kind: "stopped" });
  assert.deepEqual(stage.told, []);
});

test("what keeps it from starting is told in its own words where it has some", async () => {
  for (const [failure, told] of [
    [new Trouble("The setting is wrong."), "The setting is wrong."],
    [new Error("spawn EACCES"), "The language server did not start: spawn EACCES"],
  ] as const) {
    const stage = new Stage();
    stage.failure = failure;
    await new Lifecycle(stage).restart();
    assert.deepEqual(stage.told, [told]);
    assert.deepEqual(stage.last, { kind: "problem", reason: told });
  }
});

test("after the end nothing starts any more", async () => {
  const stage = new Stage();
  const life = new Lifecycle(stage);
  const starting = life.restart();
  const ending = life.end();
  await Promise.all([starting, ending]);
  await life.restart();
  assert.equal(stage.stopped, stage.started.length);
});
