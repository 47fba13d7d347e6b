import assert from "node:assert/strict";
import { test } from "node:test";
import { shown } from "../src/status";
import { Tally } from "../src/tally";

const NOTHING = { calls: 0, tokens: 0 };
const RUNNING = { kind: "running", version: "0.1.0" } as const;

test("checks are counted from the first until none is left", () => {
  const tally = new Tally();
  tally.note("a", { kind: "begin", title: "mpt: add" });
  tally.note("b", { kind: "begin", title: "mpt: sub" });
  assert.equal(shown(RUNNING, tally.count(), NOTHING).text, "$(loading~spin) mpt: checking 1 of 2");
  tally.note("a", { kind: "end", message: "consistent with 5 of 5" });
  tally.note("b", { kind: "report", message: "writing programs 2/5" });
  const now = shown(RUNNING, tally.count(), NOTHING);
  assert.equal(now.text, "$(loading~spin) mpt: checking 2 of 2");
  assert.match(now.tooltip, /^mpt: sub: writing programs 2\/5/);
  tally.note("b", { kind: "end" });
  assert.equal(shown(RUNNING, tally.count(), NOTHING).text, "$(beaker) mpt");
  tally.note("c", { kind: "begin", title: "mpt: mul" });
  assert.equal(shown(RUNNING, tally.count(), NOTHING).text, "$(loading~spin) mpt: checking 1 of 1");
});

test("what the last check said stays to be read", () => {
  const tally = new Tally();
  tally.note(1, { kind: "begin", title: "mpt: add" });
  tally.note(1, { kind: "end", message: "consistent with 5 of 5" });
  assert.match(shown(RUNNING, tally.count(), NOTHING).tooltip, /mpt: add: consistent with 5 of 5/);
});

test("reports on what never began, or has ended, count for nothing", () => {
  const tally = new Tally();
  tally.note("x", { kind: "report", message: "?" });
  tally.note("x", { kind: "end" });
  assert.deepEqual(tally.count(), { all: 0, done: 0, running: [], last: "" });
});

test("a server that is gone checks nothing any more", () => {
  const tally = new Tally();
  tally.note("a", { kind: "begin", title: "mpt: add" });
  assert.deepEqual(tally.clear().running, []);
});

test("a problem warns and says why", () => {
  const reason = "The disk is full.";
  const { warns, tooltip } = shown({ kind: "problem", reason }, new Tally().count(), NOTHING);
  assert.ok(warns);
  assert.equal(tooltip, reason);
});

test("what was spent today is told: in the item once there is something, in the tooltip always", () => {
  const none = new Tally().count();
  assert.match(shown(RUNNING, none, NOTHING).tooltip, /Spent today: 0 language model calls, 0 tokens/);
  const { text, tooltip } = shown(RUNNING, none, { calls: 1, tokens: 1234 });
  assert.equal(text, "$(beaker) mpt: 1 call today");
  assert.match(tooltip, /Spent today: 1 language model call, 1,234 tokens/);
});
