import assert from "node:assert/strict";
import { test } from "node:test";
import { reasonOf } from "../src/changeReason";

test("the editor's own words, where it has some; undo and redo else; nothing where it does not say", () => {
  assert.equal(reasonOf({ detailedReason: { source: "inlineCompletionAccept" } }), "inlineCompletionAccept");
  assert.equal(reasonOf({ reason: 1, detailedReason: { source: "undo" } }), "undo");
  assert.equal(reasonOf({ reason: 1 }), "undo");
  assert.equal(reasonOf({ reason: 2 }), "redo");
  assert.equal(reasonOf({}), undefined);
  assert.equal(reasonOf({ reason: 3 }), undefined);
});
