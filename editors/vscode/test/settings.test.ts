import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { childEnvironment, type Inspected, type Sections, setByPerson } from "../src/settings";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const sections: Sections = manifest.contributes.configuration;

const told = (values: Record<string, Inspected>) => setByPerson(sections, (name) => values[name]);

test("what nobody set is not told, so that a project's own settings hold", () => {
  assert.deepEqual(told({ paraphrases: {} }), {});
});

test("a folder's harmless settings hold over the workspace's, and these over the person's", () => {
  assert.deepEqual(told({ paraphrases: { globalValue: 3, workspaceValue: 4, workspaceFolderValue: 7 } }), {
    paraphrases: 7,
  });
  assert.deepEqual(told({ policy: { globalValue: "majority", workspaceValue: "conservative" } }), {
    policy: "conservative",
  });
});

test("a workspace cannot say what costs money, data or safety", () => {
  const hostile = { workspaceValue: "model@http://evil.example/v1", workspaceFolderValue: "none" };
  const names = ["llm", "python", "sandbox", "maxCallsPerDay", "memoryBytes", "concurrentChecks"];
  assert.deepEqual(told(Object.fromEntries(names.map((name) => [name, hostile]))), {});
  assert.deepEqual(told({ llm: { ...hostile, globalValue: "embedded" } }), { llm: "embedded" });
});

test("what is the extension's own business is not told", () => {
  assert.deepEqual(told({ "server.command": { globalValue: ["mpt-server"] } }), {});
});

test("no setting holds a key, and each has a description, a default and a scope", () => {
  for (const { properties } of manifest.contributes.configuration) {
    for (const [key, declared] of Object.entries<Record<string, unknown>>(properties)) {
      assert.doesNotMatch(key, /api.?key|token|secret|password/i);
      assert.ok(declared.markdownDescription, key);
      assert.ok("default" in declared, key);
      assert.match(String(declared.scope), /^(machine|resource)$/, key);
    }
  }
});

test("the key and the proxy go to the server by its environment", () => {
  assert.deepEqual(childEnvironment({ PATH: "/bin" }, "", undefined), { PATH: "/bin" });
  assert.deepEqual(childEnvironment({}, "http://proxy:3128", "sk-1"), {
    HTTP_PROXY: "http://proxy:3128",
    HTTPS_PROXY: "http://proxy:3128",
    MPT_API_KEY: "sk-1",
  });
});

test("every command of a menu is declared, and every declared one has an icon", () => {
  const { commands, menus } = manifest.contributes;
  const declared = new Set(commands.map(({ command }: { command: string }) => command));
  for (const { command } of [...menus["mpt.editor"], ...menus.commandPalette])
    assert.ok(declared.has(command), command);
  for (const { command, icon } of commands) assert.match(icon, /^\$\([a-z-]+\)$/, command);
});

test("nothing is activated outside Python files, and nothing runs where the folder is not trusted", () => {
  assert.deepEqual(manifest.activationEvents, ["onLanguage:python"]);
  assert.equal(manifest.capabilities.untrustedWorkspaces.supported, false);
  assert.equal(manifest.capabilities.virtualWorkspaces.supported, false);
});
