import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { type Making, makeEnvironment, pythonOf } from "../src/environment";
import type { Ran, Run } from "../src/run";
import { Trouble } from "../src/trouble";

let folder: string;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'mpt a\'b "c" 100%25 🐍 ')), "environments");
});
afterEach(() => rm(dirname(folder), { recursive: true }));

const WHEEL = "/extension folder/100%25/metamorphic_prompt_testing-0.1.0-py3-none-any.whl";
const OK: Ran = { code: 0, stdout: "", stderr: "" };

/** A machine on which commands do what is written here, and are kept. */
function machine(answers: Record<string, Ran | Error>) {
  const commands: string[][] = [];
  const run: Run = async (command, args) => {
    commands.push([command, ...args]);
    if (args[0] === "venv" || args[1] === "venv") await fakeVenv(args.at(-1) ?? "");
    const answer = answers[`${command.split("/").at(-1)} ${args[0]}`] ?? answers[command] ?? OK;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { commands, run };
}

async function fakeVenv(place: string): Promise<void> {
  await mkdir(join(place, "bin"), { recursive: true });
  await writeFile(join(place, "bin", "python"), "");
}

function making(run: Run, more: Partial<Making> = {}): Making {
  return {
    folder,
    wheel: WHEEL,
    env: {},
    signal: new AbortController().signal,
    run,
    findPython: async () => "/usr/bin/python3.12",
    say: () => undefined,
    log: () => undefined,
    ...more,
  };
}

const noUv = { uv: new Error("spawn uv ENOENT") };

test("uv makes it where it is there, and the wheel's path is a URL whatever is in it", async () => {
  const { commands, run } = machine({});
  const python = await makeEnvironment(making(run));
  assert.equal(python, pythonOf(folder, WHEEL));
  assert.ok(existsSync(python));
  assert.deepEqual(
    commands.map(([command]) => command),
    ["uv", "uv", "uv"],
  );
  assert.equal(
    commands[2]?.at(-1),
    "metamorphic-prompt-testing[local] @ file:///extension%20folder/100%2525/metamorphic_prompt_testing-0.1.0-py3-none-any.whl",
  );
});

test("without uv, Python's own venv and pip make it", async () => {
  const { commands, run } = machine(noUv);
  await makeEnvironment(making(run));
  assert.deepEqual(commands[1]?.slice(0, 3), ["/usr/bin/python3.12", "-m", "venv"]);
  assert.deepEqual(commands[2]?.slice(1, 4), ["-m", "pip", "install"]);
});

test("the environments of other versions go, drafts of other windows stay", async () => {
  await mkdir(join(folder, "metamorphic_prompt_testing-0.0.9-py3-none-any"), { recursive: true });
  await mkdir(join(folder, ".draft-other"));
  await makeEnvironment(making(machine({}).run));
  assert.deepEqual((await readdir(folder)).sort(), [
    ".draft-other",
    "metamorphic_prompt_testing-0.1.0-py3-none-any",
  ]);
});

test("two windows at once: the first one's stays, and both have it", async () => {
  const { run } = machine({});
  const [one, other] = await Promise.all([makeEnvironment(making(run)), makeEnvironment(making(run))]);
  assert.equal(one, other);
  assert.deepEqual(await readdir(folder), ["metamorphic_prompt_testing-0.1.0-py3-none-any"]);
});

test("what fails leaves nothing behind, and says what to do", async () => {
  const failures: [Ran, RegExp][] = [
    [
      failed("ERROR: Could not find a version that satisfies the requirement click"),
      /could not be reached.*http\.proxy/,
    ],
    [failed("pip._vendor.urllib3.exceptions.ProxyError: ('Cannot connect to proxy.', …)"), /proxy refused/],
    [
      failed("error: Failed to fetch: `pygls`\n Caused by: dns error: failed to lookup address"),
      /could not be reached/,
    ],
    [failed("error: failed to create directory: Permission denied (os error 13)"), /cannot be written to/],
    [failed("OSError: [Errno 28] No space left on device"), /disk is full/],
    [failed("something new\nand strange"), /^and strange$/],
  ];
  for (const [answer, message] of failures) {
    const { run } = machine({ ...noUv, "python -m": answer });
    await assert.rejects(makeEnvironment(making(run)), (error: Error) => {
      assert.ok(error instanceof Trouble);
      assert.match(error.message, message);
      return true;
    });
    assert.deepEqual(await readdir(folder), []);
  }
});

function failed(stderr: string): Ran {
  return { code: 1, stdout: "", stderr };
}

test("Debian's python3 without venv is told what to install", async () => {
  const answer = failed(
    "The virtual environment was not created successfully because ensurepip is not available.",
  );
  const { run } = machine({ ...noUv, "python3.12 -m": answer });
  await assert.rejects(makeEnvironment(making(run)), /install python3-venv/);
});

test("no Python at all", async () => {
  const { run } = machine(noUv);
  await assert.rejects(
    makeEnvironment(making(run, { findPython: async () => undefined })),
    /No Python 3\.11 or later/,
  );
});

test("a file where the folder should be", async () => {
  await writeFile(folder, "");
  await assert.rejects(makeEnvironment(making(machine({}).run)), Trouble);
});

test("cancelled: rejects with the abort, and the draft is gone", async () => {
  const aborter = new AbortController();
  const run: Run = async (_, args) => {
    if (args[0] === "pip") {
      aborter.abort();
      throw aborter.signal.reason;
    }
    return OK;
  };
  await assert.rejects(makeEnvironment(making(run, { signal: aborter.signal })), { name: "AbortError" });
  assert.deepEqual(await readdir(folder), []);
});

test("a folder that cannot be written to, not even by root", {
  skip: process.platform !== "linux",
}, async () => {
  const sealed = "/sys/mpt-environments";
  await assert.rejects(makeEnvironment(making(machine({}).run, { folder: sealed })), /cannot be written to/);
});
