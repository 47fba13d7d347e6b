// The real extension and the real server in VS Code's workbench. Replies are recorded; programs really run.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Workbench, project, recording, startModel, until } from "./workbench.mjs";

const python = join(project, ".venv/bin/python");
const replaying = {
  "mpt.server.command": [python, "-m", "mpt_server", "--replay", recording],
  "mpt.select": "documented",
};

let workbench;
let page;

before(async () => {
  workbench = await Workbench.open({ settings: replaying });
  page = workbench.page;
});
after(() => workbench?.close());

const squiggle = () => page.locator(".squiggly-warning");
const lens = (text) => page.locator(".codelens-decoration a", { hasText: text });
const notification = (text) => page.locator(".notification-toast").filter({ hasText: text });

test("in a folder that is not trusted nothing is activated, and nothing runs", async () => {
  await workbench.show("demo.py");
  await page.locator(".monaco-dialog-box a.monaco-button", { hasText: "No, I don't trust" }).click();
  await workbench.edit("demo.py", "# seen");
  await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor();
  assert.equal(await workbench.status.count(), 0);
  assert.deepEqual(await workbench.servers(), []);
});

test("once it is trusted the server starts", async () => {
  await workbench.command("Workspaces: Manage Workspace Trust");
  await page.locator(".workspace-trust-editor a.monaco-button", { hasText: /^Trust$/ }).click();
  await workbench.front("demo.py");
  await workbench.idle();
  assert.equal((await workbench.servers()).length, 1);
});

test("a save brings a warning on the wrong function's name, and none on the right one", async () => {
  await workbench.edit("demo.py", "# saved");
  await squiggle().waitFor({ state: "attached" });
  await workbench.idle();
  assert.equal(await squiggle().count(), 1);
  await workbench.goTo(4, 8);
  await workbench.screenshot("warning");
});

test("its message has the smallest input and both answers", async () => {
  await page.keyboard.press("Control+Shift+m");
  const row = page.locator(".markers-panel .monaco-list-row", { hasText: "mpt-inconsistent" });
  assert.match(await row.innerText(), /`largest_gap\(\[.*\]\)` returns -\d+; 5 of 5 paraphrase programs return \d+/);
  await workbench.screenshot("problems");
  await page.keyboard.press("Control+Shift+m");
});

test("the hover has the table of disagreeing inputs", async () => {
  await workbench.front("demo.py");
  await workbench.goTo(4, 8);
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+i");
  const hover = page.locator(".monaco-hover-content").first();
  const table = /input\s+function\s+paraphrase programs/;
  const text = await until(() => hover.innerText().then((found) => table.test(found) && found));
  assert.match(text, /largest_gap\(\[.*\]\)\s+-\d+\s+\d+ ×5/);
  await workbench.screenshot("hover");
  await page.keyboard.press("Escape");
});

test("a line above each function says how it stands", async () => {
  await lens("disagrees on").waitFor();
  await lens("consistent with 5 of 5").waitFor();
});

test("the report opens as a page, with each program", async () => {
  await workbench.goTo(4, 8);
  await workbench.quickFix("Show disagreeing inputs");
  const body = await until(() => frameWith("INCONSISTENT"));
  const text = await body.innerText();
  assert.match(text, /largest_gap: INCONSISTENT/);
  for (const program of [1, 2, 3, 4, 5]) assert.match(text, new RegExp(`Paraphrase program ${program}`));
  await workbench.screenshot("report");
  await workbench.command("View: Close Editor");
});

test("a re-validation of what is known already changes nothing on the screen", async () => {
  await workbench.goTo(4, 8);
  await workbench.command("mpt: Re-validate Function");
  await workbench.idle();
  await squiggle().waitFor({ state: "attached" });
});

test("a server that is killed comes back, and what it knew is shown again", async () => {
  const [killed] = await workbench.servers();
  process.kill(killed, "SIGKILL");
  await until(async () => (await workbench.servers()).some((pid) => pid !== killed));
  await workbench.idle();
  await squiggle().waitFor({ state: "attached" });
  assert.equal((await workbench.servers()).length, 1);
  assert.equal(await page.locator(".notification-toast").count(), 0);
});

test("a check that the person asked for shows its progress, and ends when they cancel it", async (t) => {
  const url = await startModel(t, "silent");
  const [before] = await workbench.servers();
  await workbench.set({ "mpt.server.command": [python, "-m", "mpt_server"], "mpt.llm": `silent@${url}` });
  await until(async () => (await workbench.servers()).some((pid) => pid !== before));
  await workbench.front("held.py");
  await workbench.idle();
  await workbench.goTo(1, 6);
  await workbench.command("mpt: Re-validate Function");
  await notification("mpt: double").waitFor();
  await workbench.status.filter({ hasText: "checking 1 of 1" }).waitFor();
  await workbench.screenshot("progress");
  await notification("mpt: double").locator("a.monaco-button", { hasText: "Cancel" }).click();
  await notification("mpt: double").waitFor({ state: "detached" });
  await workbench.idle();
  assert.equal(await squiggle().count(), 0);
});

test("a command that cannot be run is one notification with buttons, not a loop of them", async () => {
  await workbench.set({ "mpt.server.command": ["/nowhere/mpt-server"] });
  await notification("mpt.server.command cannot be run").waitFor();
  await page.locator(".statusbar-item[id$='mpt.status'] .codicon-alert").waitFor();
  for (const button of ["Try Again", "Set Up", "Open Settings", "Show Log"]) {
    assert.equal(await notification("cannot be run").locator("a.monaco-button", { hasText: button }).count(), 1);
  }
  assert.equal(await page.locator(".notification-toast").count(), 1);
  await workbench.screenshot("problem");
  await workbench.set(replaying);
  await workbench.idle();
});

/** The body of a frame that shows this text. */
async function frameWith(text) {
  for (const frame of page.frames()) {
    const body = frame.locator("body");
    if ((await body.innerText({ timeout: 1000 }).catch(() => "")).includes(text) && frame !== page.mainFrame()) return body;
  }
  return undefined;
}
