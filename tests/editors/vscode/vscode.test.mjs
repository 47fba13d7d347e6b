// The real extension and the real server in VS Code's workbench. Replies are recorded; programs really run.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { Workbench, packed, project, recording, startModel, story, until } from "./workbench.mjs";

const python = join(project, ".venv/bin/python");
const replaying = {
  "mpt.server.command": [python, "-m", "mpt_server", "--replay", recording],
  "mpt.select": "documented",
};

let workbench;
let page;
const step = story();

before(async () => {
  const assistant = await packed("completions", join(await mkdtemp(join(tmpdir(), "mpt-")), "completions.vsix"));
  workbench = await Workbench.open({ settings: replaying, extensions: [assistant], name: "work 'n \"play\" 🐍" });
  page = workbench.page;
});
after(() => workbench?.close());

const squiggle = () => page.locator(".squiggly-warning");
const lens = (text) => page.locator(".codelens-decoration a", { hasText: text });
/** What each notification says: where there is one too many, the failure tells which. */
const toasts = (window) => window.locator(".notification-toast").allInnerTexts();
const notification = (text) => page.locator(".notification-toast").filter({ hasText: text });

step("in a folder that is not trusted nothing is activated, and nothing runs", async () => {
  await workbench.show("demo.py");
  await page.locator(".monaco-dialog-box a.monaco-button", { hasText: "No, I don't trust" }).click();
  await workbench.edit("demo.py", "# seen");
  await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor();
  assert.equal(await workbench.status.count(), 0);
  assert.deepEqual(await workbench.servers(), []);
});

step("once it is trusted the server starts", async () => {
  await workbench.command("Workspaces: Manage Workspace Trust");
  await page.locator(".workspace-trust-editor a.monaco-button", { hasText: /^Trust$/ }).click();
  await workbench.front("demo.py");
  await workbench.idle();
  assert.equal((await workbench.servers()).length, 1);
});

step("its activation takes no time that is noticed", async (t) => {
  await workbench.command("Developer: Show Running Extensions");
  const row = page.locator(".runtime-extensions-editor .extension", { hasText: "mpt: does it do" });
  const [activation] = /Activation: \d+ms/.exec(await row.innerText());
  t.diagnostic(activation);
  await workbench.command("View: Close Editor");
  await workbench.front("demo.py");
});

step("a save brings a warning on the wrong function's name, and none on the right one", async () => {
  await workbench.edit("demo.py", "# saved");
  await squiggle().waitFor({ state: "attached" });
  await workbench.idle();
  assert.equal(await squiggle().count(), 1);
  await workbench.goTo(4, 8);
  await workbench.screenshot("warning");
});

step("its message has the smallest input and both answers", async () => {
  await page.keyboard.press("Control+Shift+m");
  const row = page.locator(".markers-panel .monaco-list-row", { hasText: "mpt-inconsistent" });
  assert.match(await row.innerText(), /`largest_gap\(\[.*\]\)` returns -\d+; 5 of 5 paraphrase programs return \d+/);
  await workbench.screenshot("problems");
  await page.keyboard.press("Control+Shift+m");
});

step("the hover has the table of disagreeing inputs", async () => {
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

step("a line above each function says how it stands", async () => {
  await lens("disagrees on").waitFor();
  await lens("consistent with 5 of 5").waitFor();
});

step("the report opens as a page, with each program", async () => {
  await workbench.goTo(4, 8);
  await workbench.quickFix("Show disagreeing inputs");
  const body = await until(() => frameWith("INCONSISTENT"));
  const text = await body.innerText();
  assert.match(text, /largest_gap: INCONSISTENT/);
  for (const program of [1, 2, 3, 4, 5]) assert.match(text, new RegExp(`Paraphrase program ${program}`));
  await workbench.screenshot("report");
  await workbench.command("View: Close Editor");
});

step("the function and a paraphrase program stand side by side", async () => {
  await workbench.goTo(4, 8);
  await workbench.quickFix("Compare with a paraphrase program");
  const side = (name) => page.locator(`.monaco-diff-editor .editor.${name} .view-lines`).innerText();
  const shows = async (name, code) => (await side(name)).replaceAll("\u00a0", " ").includes(code);
  await until(async () => (await shows("original", MINE)) && (await shows("modified", "return")));
  assert.ok(!(await shows("modified", MINE)));
  await workbench.screenshot("difference");
  await workbench.command("View: Close Editor");
});

step("the status item says what was spent today", async () => {
  await workbench.front("demo.py");
  await page.locator(".statusbar-item[id$='mpt.status'][aria-label*='Spent today: 0 language model calls']").waitFor();
});

step("the disagreeing input becomes a pytest test, which the function fails", async () => {
  await workbench.goTo(4, 8);
  await workbench.quickFix("Add the disagreeing input as a pytest test");
  const question = notification("What should largest_gap");
  await question.waitFor();
  await workbench.screenshot("question");
  await question.locator("a.monaco-button", { hasText: /^\d+$/ }).click();
  await saveAll(async () => (await read("tests/test_demo.py")).includes("def test_largest_gap_1"));
  assert.equal(await pytest(), 1);
});

step("the function is replaced by the majority's program, the warning goes, and the test passes", async () => {
  await workbench.front("demo.py");
  await workbench.goTo(4, 8);
  await workbench.quickFix("Replace by the majority program");
  const preview = page.locator(".bulk-edit-panel");
  await preview.locator("a.monaco-button", { hasText: "Apply" }).waitFor();
  await preview.locator(".monaco-list-row .edit-checkbox").first().click();
  await workbench.screenshot("replace");
  await preview.locator("a.monaco-button", { hasText: "Apply" }).click();
  await squiggle().waitFor({ state: "detached" });
  await saveAll(async () => !(await read("demo.py")).includes(MINE));
  assert.equal(await pytest(), 0);
  await workbench.front("demo.py");
  await workbench.idle();
  await lens("consistent with 5 of 5").nth(1).waitFor();
  assert.deepEqual(await toasts(page), []);
  await page.keyboard.press("Control+z");
  await squiggle().waitFor({ state: "attached" });
});

step("a re-validation of what is known already changes nothing on the screen", async () => {
  await workbench.goTo(4, 8);
  await workbench.command("mpt: Re-validate Function");
  await workbench.idle();
  await squiggle().waitFor({ state: "attached" });
});

step("a server that is killed comes back, and what it knew is shown again", async () => {
  const [killed] = await workbench.servers();
  process.kill(killed, "SIGKILL");
  await until(async () => (await workbench.servers()).some((pid) => pid !== killed));
  await workbench.idle();
  await squiggle().waitFor({ state: "attached" });
  assert.equal((await workbench.servers()).length, 1);
  assert.equal(await notification("language server").count(), 0);
});

step("a check that the person asked for shows its progress, and ends when they cancel it", async (t) => {
  const url = await startModel(t, "silent");
  const [before] = await workbench.servers();
  await workbench.set({ "mpt.server.command": [python, "-m", "mpt_server"], "mpt.llm": `silent@${url}` });
  await until(async () => (await workbench.servers()).some((pid) => pid !== before) && !(await workbench.servers()).includes(before));
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

step("a body from an assistant is checked on save; one typed by hand is not", async () => {
  const { "mpt.server.command": command } = replaying;
  await workbench.set({ "mpt.server.command": command });
  await workbench.front("typed.py");
  await workbench.idle();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(`    ${TYPED}`, { delay: 60 });
  await page.keyboard.press("Control+s");

  await workbench.front("assistant.py");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("    ");
  await page.locator(".ghost-text-decoration").first().waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Control+s");
  await squiggle().waitFor({ state: "attached" });
  assert.ok((await read("assistant.py")).includes(OFFERED));
  await workbench.screenshot("assistant");

  await workbench.front("typed.py");
  await workbench.idle();
  assert.ok((await read("typed.py")).includes(TYPED));
  assert.equal(await squiggle().count(), 0);
  assert.equal(await lens("re-validate").count(), 0);
});

for (const [what, program, said] of [
  ["that cannot be run", undefined, "mpt.server.command cannot be run"],
  ["that is no server", "exit 0", "does not start mpt's language server"],
  ["of another version", "echo mpt-server 9.0.0", "which this version of the extension does not speak with"],
  ["that ends at once", 'test "$1" = --version && echo mpt-server 0.1.0', "The language server did not start"],
]) {
  step(`a command ${what} is one notification with buttons, not a loop of them`, async () => {
    const command = program ? await script(program) : "/nowhere/mpt-server";
    await workbench.set({ "mpt.server.command": [command] });
    await notification(said).waitFor();
    await page.locator(".statusbar-item[id$='mpt.status'] .codicon-alert").waitFor();
    for (const button of ["Try Again", "Set Up", "Open Settings", "Show Log"]) {
      assert.equal(await notification(said).locator("a.monaco-button", { hasText: button }).count(), 1);
    }
    assert.deepEqual((await toasts(page)).filter((text) => !text.includes(said)), []);
    assert.equal(await notification(said).count(), 1);
    await workbench.screenshot("problem");
    await notification(said).hover();
    await notification(said).locator(".codicon-notifications-clear").click();
    await notification(said).waitFor({ state: "detached" });
  });
}

step("a second window on the same folder has a server of its own, and both show what is known", async () => {
  await workbench.set(replaying);
  await workbench.front("demo.py");
  await workbench.idle();
  await squiggle().waitFor({ state: "attached" });
  workbench.page = await workbench.context.newPage();
  await workbench.show("demo.py");
  await workbench.idle();
  await workbench.page.locator(".squiggly-warning").waitFor({ state: "attached" });
  assert.equal((await workbench.servers()).length, 2);
  assert.deepEqual(await toasts(workbench.page), []);
  assert.deepEqual(await toasts(page), []);
});

step("the package is small", async () => {
  const { size } = await stat(join(project, "editors/vscode/dist/mpt.vsix"));
  assert.ok(size < 1.5e6, `${size} bytes`);
});

const MINE = "numbers[i + 1] - numbers[i] for";
const OFFERED = "return sorted(numbers)[len(numbers) // 2] if numbers else 0";
const TYPED = "return sorted(numbers)[len(numbers) // 2] if len(numbers) else 0";

const read = (name) => readFile(join(workbench.folder, name), "utf8").catch(() => "");

/** The path of a program that stands in for the server. */
async function script(text) {
  const path = join(await mkdtemp(join(workbench.home, "a 'server' 100%25 ")), "mpt-server");
  await writeFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}

/** Saves until what an edit that is under way brings has been written. */
function saveAll(written) {
  return until(async () => {
    await workbench.command("File: Save All Files");
    return written();
  });
}

/** The exit code of pytest over the workspace's tests. */
function pytest() {
  const options = { cwd: workbench.folder, env: { ...process.env, PYTHONPATH: workbench.folder } };
  return new Promise((resolve) => {
    execFile(python, ["-m", "pytest", "-q", "tests"], options, (error) => resolve(error ? error.code : 0));
  });
}

/** The body of a frame that shows this text. */
async function frameWith(text) {
  for (const frame of page.frames()) {
    const body = frame.locator("body");
    if ((await body.innerText({ timeout: 1000 }).catch(() => "")).includes(text) && frame !== page.mainFrame()) return body;
  }
  return undefined;
}
