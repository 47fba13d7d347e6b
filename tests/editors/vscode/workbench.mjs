// VS Code's workbench, served by code-server and driven in headless Chromium.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const PATIENCE_MS = 400_000; // nothing is waited for by sleeping; what takes longer, on a machine however busy, has failed

export const project = resolve(import.meta.dirname, "../../..");
export const recording = process.env.MPT_RECORDING;
const screenshots = join(project, "dist/editors/screenshots");

/** Where tests/editors/install put the editors. */
function installed() {
  const folder = process.env.MPT_TEST_EDITORS;
  if (!folder) throw new Error("MPT_TEST_EDITORS names no folder: run `make test-editors`");
  return join(folder, "code-server-4.100.3");
}

/** A machine of its own: home, editor's data, and a copy of the workspace in a folder with every kind of character. */
export class Workbench {
  static async open({ settings = {}, trusted = false, extensions = [], path, env = {}, name } = {}) {
    const home = await mkdtemp(join(tmpdir(), "mpt-editors-"));
    const found = path ?? `${project}/.venv/bin:${process.env.PATH}`;
    const workbench = new Workbench(join(home, name ?? "work 'n \"play\" 100%25 🐍"), await freePort(), { ...env, PATH: found });
    await cp(join(project, "tests/editors/workspace"), workbench.folder, { recursive: true });
    await workbench.#configure(settings, trusted);
    for (const extension of [join(project, "editors/vscode/dist/mpt.vsix"), ...extensions]) {
      await promisify(execFile)(process.execPath, [...workbench.#command, "--install-extension", extension], workbench.#options);
    }
    await workbench.#serve();
    await workbench.#browse();
    return workbench;
  }

  constructor(folder, port, env) {
    this.home = dirname(folder);
    this.folder = folder;
    this.port = port;
    this.env = env;
    this.data = join(this.home, "data");
    this.log = "";
  }

  /** VSCODE_CLI: take the PATH that is given, not a login shell's. */
  get #options() {
    const own = { HOME: this.home, XDG_CACHE_HOME: join(this.home, "cache"), XDG_CONFIG_HOME: join(this.home, "config") };
    return { cwd: this.home, env: { ...process.env, ...own, LANG: "C.UTF-8", VSCODE_CLI: "1", ...this.env } };
  }

  get #command() {
    const program = join(installed(), "node_modules/code-server/out/node/entry.js");
    const extensions = join(this.home, "extensions");
    const config = join(this.home, "config.yaml");
    return [program, "--config", config, "--user-data-dir", this.data, "--extensions-dir", extensions];
  }

  async #configure(settings, trusted) {
    const config = {
      "bind-addr": `127.0.0.1:${this.port}`,
      auth: "none",
      cert: false,
      "disable-telemetry": true,
      "disable-update-check": true,
      ...(trusted && { "disable-workspace-trust": true }),
      "disable-getting-started-override": true,
    };
    await writeFile(join(this.home, "config.yaml"), Object.entries(config).map(([key, value]) => `${key}: ${value}\n`).join(""));
    // What the person sets for the machine that runs the extension lies apart from what they set for the window.
    for (const [folder, set] of Object.entries({ User: QUIET, Machine: settings })) {
      await mkdir(join(this.data, folder), { recursive: true });
      await writeFile(join(this.data, folder, "settings.json"), JSON.stringify(set));
    }
  }

  async #serve() {
    this.server = spawn(process.execPath, [...this.#command, this.folder], { ...this.#options, stdio: ["ignore", "pipe", "pipe"] });
    for (const channel of [this.server.stdout, this.server.stderr]) {
      channel.setEncoding("utf8").on("data", (text) => {
        this.log += text;
      });
    }
    await until(() => fetch(`http://127.0.0.1:${this.port}/healthz`).then((answer) => answer.ok, () => false));
  }

  async #browse() {
    const { chromium } = createRequire(join(installed(), "package.json"))("playwright-core");
    this.context = await chromium.launchPersistentContext(join(this.home, "browser"), {
      executablePath: "/usr/bin/chromium",
      args: ARGUMENTS,
      viewport: { width: 1200, height: 760 },
    });
    this.context.setDefaultTimeout(PATIENCE_MS);
    this.page = this.context.pages()[0] ?? (await this.context.newPage());
  }

  /** Opens the workbench with this file of the workspace. */
  async show(name) {
    const authority = `127.0.0.1:${this.port}`;
    const path = encodeURI(join(this.folder, name)).replaceAll("#", "%23");
    const payload = JSON.stringify([["openFile", `vscode-remote://${authority}${path}`]]);
    await this.page.goto(`http://${authority}/?${new URLSearchParams({ folder: this.folder, payload })}`);
    await this.page.locator(".monaco-workbench").waitFor();
    await this.tab(name).waitFor();
  }

  tab(name) {
    return this.page.locator(`.tab[data-resource-name="${name}"]`);
  }

  /** Runs a command of the palette. */
  async command(title) {
    const { page } = this;
    await page.keyboard.press("F1");
    const input = page.locator(".quick-input-widget input.input");
    await input.fill(`>${title}`);
    await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: title }).first().click();
  }

  /** Puts the cursor there (lines and columns from 1). */
  async goTo(line, column = 1) {
    const { page } = this;
    await page.keyboard.press("Control+g");
    const input = page.locator(".quick-input-widget input.input");
    await input.fill(`:${line}:${column}`);
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  /** Applies what the light bulb offers at the cursor. */
  async quickFix(title) {
    const { page } = this;
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget .monaco-list-row", { hasText: title }).waitFor();
    const focused = page.locator(".action-widget .monaco-list-row.focused");
    for (let tries = 0; !(await focused.innerText()).includes(title); tries += 1) {
      if (tries > 20) throw new Error(`cannot reach ${title}`);
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
  }

  get status() {
    return this.page.locator(STATUS);
  }

  /** The server runs and checks nothing. */
  async idle() {
    await this.page.locator(`${STATUS}[aria-label*="Nothing is being checked"]`).waitFor();
  }

  /** The process ids of this machine's language servers. */
  async servers() {
    const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const ours = await Promise.all(processes.map((pid) => this.#isServer(pid)));
    return processes.filter((_, index) => ours[index]).map(Number);
  }

  async #isServer(pid) {
    const read = (name) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
    const [command, environment] = await Promise.all([read("cmdline"), read("environ")]);
    return /mpt[-_]server/.test(command) && environment.includes(`HOME=${this.home}`);
  }

  /** Sets the settings of this machine, in the editor's own settings file. */
  async set(settings) {
    const { page } = this;
    await this.command("Preferences: Open Remote Settings (JSON)");
    await this.#focused("settings.json");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(JSON.stringify(settings));
    await this.#save("settings.json");
    await this.command("View: Close Editor");
    await this.tab("settings.json").waitFor({ state: "detached" });
  }

  /** Types a line at the end of a file, and saves it. */
  async edit(name, text) {
    const { page } = this;
    await this.front(name);
    await page.keyboard.press("Control+End");
    await page.keyboard.type(`\n${text}`);
    await this.#save(name);
  }

  async #focused(name) {
    await this.page.locator(`.monaco-editor.focused[data-uri$="${name}"]`).waitFor();
  }

  async #save(name) {
    const unsaved = this.page.locator(`.tab.dirty[data-resource-name="${name}"]`);
    await unsaved.waitFor();
    await this.page.keyboard.press("Control+s");
    await unsaved.waitFor({ state: "detached" });
  }

  /** Brings a file of the workspace to the front. */
  async front(name) {
    if (await this.tab(name).count()) await this.tab(name).click();
    else await this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).dblclick();
    await this.#focused(name);
  }

  async screenshot(name) {
    await mkdir(screenshots, { recursive: true });
    await this.page.screenshot({ path: join(screenshots, `${name}.png`) });
  }

  /** Keeps what is seen last: where a test failed, it is what one wants to see. */
  async close() {
    await this.screenshot("last").catch(() => undefined);
    await this.context?.close();
    if (this.server?.exitCode === null) {
      this.server.kill("SIGTERM");
      await once(this.server, "exit");
    }
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

const STATUS = ".statusbar-item[id$='mpt.status']";

const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "chat.commandCenter.enabled": false,
  "editor.wordBasedSuggestions": "off",
  "files.autoSave": "off",
  "editor.minimap.enabled": false,
  "diffEditor.useInlineViewWhenSpaceIsLimited": false,
  "editor.fontSize": 15,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  "window.title": "mpt",
};

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Tests that go on where the one before ended. After one that failed the rest is skipped: each would wait in vain. */
export function story() {
  let unfinished;
  return (name, act) =>
    test(name, async (t) => {
      if (unfinished) return t.skip(`after ${unfinished}`);
      unfinished = name;
      await act(t);
      unfinished = undefined;
    });
}

/** Packs the extension in a folder of this one. */
export async function packed(name, out) {
  const vsce = join(project, "editors/vscode/node_modules/.bin/vsce");
  const flags = ["--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", out];
  await promisify(execFile)(vsce, ["package", ...flags], { cwd: join(import.meta.dirname, name) });
  return out;
}

/** A language model on loopback (see tests/editors/model.py) for the length of a test; its base URL. */
export async function startModel(t, kind) {
  const script = join(project, "tests/editors/model.py");
  const model = spawn(join(project, ".venv/bin/python"), [script, kind], { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => model.stdin.end());
  const [url] = await once(model.stdout.setEncoding("utf8"), "data");
  return url.trim();
}

export async function until(seen) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await seen();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${PATIENCE_MS / 1000} s in vain for ${seen}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}
