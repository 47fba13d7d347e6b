// From an empty profile: the extension finds no server, and makes an environment for it from the wheel that it carries.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Workbench, startModel, until } from "./workbench.mjs";

test("no Python at all: one notification says so, and offers to try again", async (t) => {
  const workbench = await Workbench.open({ trusted: true, path: "/nowhere" });
  t.after(() => workbench.close());
  const { page } = workbench;
  await workbench.show("demo.py");
  await notification(page, "the language server is not installed").locator("a", { hasText: "Set Up" }).click();
  const problem = notification(page, "No Python 3.11 or later was found, and no uv");
  await problem.waitFor();
  assert.equal(await problem.locator("a.monaco-button", { hasText: "Try Again" }).count(), 1);
  await until(async () => (await notification(page, "mpt").count()) === 1);
  assert.deepEqual(await workbench.servers(), []);
});

test("a proxy that does not answer: one notification says so, and offers the settings", async (t) => {
  const settings = { "http.proxy": "http://127.0.0.1:9" }; // the port that discards
  const workbench = await Workbench.open({ trusted: true, path: process.env.PATH, env: FAR_INDEX, settings });
  t.after(() => workbench.close());
  const { page } = workbench;
  await workbench.show("demo.py");
  await notification(page, "the language server is not installed").locator("a", { hasText: "Set Up" }).click();
  const problem = notification(page, "http.proxy");
  await problem.waitFor();
  assert.equal(await problem.locator("a.monaco-button", { hasText: "Open Settings" }).count(), 1);
  await until(async () => (await notification(page, "mpt").count()) === 1);
  assert.deepEqual(await workbench.servers(), []);
});

test("with a Python: one click, and the first save brings a warning", async (t) => {
  const llm = `scripted@${await startModel(t, "scripted")}`;
  const settings = { "mpt.llm": llm, "mpt.fuzzer": "loop", "mpt.select": "documented" };
  const start = performance.now();
  const workbench = await Workbench.open({ trusted: true, path: process.env.PATH, settings });
  t.after(() => workbench.close());
  const { page } = workbench;
  await workbench.show("demo.py");
  const opened = performance.now();
  await notification(page, "the language server is not installed").locator("a", { hasText: "Set Up" }).click();
  await notification(page, "installing the language server").waitFor();
  await workbench.screenshot("set-up");
  await workbench.idle();
  const installed = performance.now();
  await workbench.edit("demo.py", "# saved");
  await page.locator(".squiggly-warning").waitFor({ state: "attached" });
  await workbench.status.filter({ hasText: /\d+ calls today/ }).waitFor();
  t.diagnostic(`seconds: editor ${seconds(opened - start)}, set-up ${seconds(installed - opened)}, \
first warning ${seconds(performance.now() - installed)}; clicks: 1, then a save`);
});

/** A package index that is reached through the proxy alone, whatever this machine's pip is set up with. */
const FAR_INDEX = { PIP_CONFIG_FILE: "/dev/null", PIP_INDEX_URL: "http://index.invalid/simple", NO_PROXY: "", no_proxy: "" };

const notification = (page, text) => page.locator(".notification-toast").filter({ hasText: text });
const seconds = (milliseconds) => (milliseconds / 1000).toFixed(1);
