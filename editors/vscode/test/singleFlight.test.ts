import assert from "node:assert/strict";
import { test } from "node:test";
import { singleFlight } from "../src/singleFlight";

/** Work whose runs end when the test says so. */
function work() {
  const runs: { end: () => void; fail: (error: Error) => void }[] = [];
  const begin = () =>
    new Promise<void>((resolve, reject) => {
      runs.push({ end: resolve, fail: reject });
    });
  return { runs, begin };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("what is asked for while it runs is served by one more run", async () => {
  const { runs, begin } = work();
  const request = singleFlight(begin);
  const first = request();
  const others = [request(), request(), request()];
  assert.equal(runs.length, 1);
  runs[0]?.end();
  await first;
  await turn();
  assert.equal(runs.length, 2);
  runs[1]?.end();
  await Promise.all(others);
  assert.equal(runs.length, 2);
});

test("a run that fails does not keep the next from running", async () => {
  const { runs, begin } = work();
  const request = singleFlight(begin);
  const first = request();
  const second = request();
  runs[0]?.fail(new Error("no"));
  await assert.rejects(first, /no/);
  await turn();
  runs[1]?.end();
  await second;
  assert.equal(runs.length, 2);
});

test("one after another, each request is a run", async () => {
  let runs = 0;
  const request = singleFlight(async () => {
    runs += 1;
  });
  await request();
  await request();
  assert.equal(runs, 2);
});
