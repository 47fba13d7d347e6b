import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { findPython, findServer, type Probed, probe, speaksWith } from "../src/python";
import { run } from "../src/run";

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mpt a\'b "c" 100%25 🐍 '));
});
after(() => rm(folder, { recursive: true }));

/** A program that stands in for a Python, in a folder whose name has everything. */
async function python(name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const answering = (python: string, server: string | null) =>
  `echo noise; echo '${JSON.stringify({ python, server })}'`;

const look = async (path: string): Promise<Probed> => probe(path, "0.1.0", run, folder);

test("a real Python is read: the one of this machine is no server's", async () => {
  const probed = await look("python3");
  assert.ok(probed.kind === "no-server" || probed.kind === "too-old", JSON.stringify(probed));
});

test("each thing that can stand behind a name is told apart", async () => {
  const cases: [string, string, Probed][] = [
    ["good", answering("3.12.1", "0.1.9"), { kind: "server", version: "0.1.9" }],
    ["other", answering("3.12.1", "0.2.0"), { kind: "other-server", version: "0.2.0" }],
    ["without", answering("3.11.0", null), { kind: "no-server", python: "3.11.0" }],
    ["old", answering("3.10.14", "0.1.0"), { kind: "too-old", python: "3.10.14" }],
    ["ancient", answering("2.7.18", null), { kind: "too-old", python: "2.7.18" }],
    ["sad", "echo 'Traceback' >&2; echo 'ImportError: no json' >&2; exit 1", broken("ImportError: no json")],
    ["silent", "exit 3", broken("it ends with 3")],
  ];
  for (const [name, script, expected] of cases)
    assert.deepEqual(await look(await python(name, script)), expected);
});

function broken(reason: string): Probed {
  return { kind: "broken", reason };
}

test("a Python that talks nonsense, is not there, or may not be run is broken, with a reason", async () => {
  const nonsense = await python("nonsense", "echo hello");
  const forbidden = await python("forbidden", "");
  await chmod(forbidden, 0o644);
  for (const path of [nonsense, join(folder, "absent"), forbidden]) {
    const probed = await look(path);
    assert.equal(probed.kind, "broken");
    assert.ok(probed.kind === "broken" && probed.reason.length > 0);
  }
});

test("the first that has the server is taken, and why the others were not is noted", async () => {
  const notes: string[] = [];
  const kinds: Record<string, Probed> = {
    a: { kind: "too-old", python: "3.9.2" },
    b: { kind: "other-server", version: "0.7.0" },
    c: { kind: "server", version: "0.1.0" },
    d: { kind: "server", version: "0.1.0" },
  };
  const candidates = ["a", "b", "c", "d"].map((name) => ({ python: name, name: `the ${name}` }));
  const found = await findServer(
    candidates,
    async (name) => kinds[name] ?? broken("?"),
    (line) => notes.push(line),
  );
  assert.equal(found?.python, "c");
  assert.deepEqual(notes, [
    "the a (a) is Python 3.9.2; at least 3.11 is needed",
    "the b (b) has the language server 0.7.0, which this version of the extension does not speak with",
  ]);
});

test("a base for an environment is new enough, whatever else it has", async () => {
  const kinds: Record<string, Probed> = {
    old: { kind: "too-old", python: "3.9.2" },
    absent: broken("ENOENT"),
    other: { kind: "other-server", version: "9.0.0" },
  };
  const lookUp = async (name: string) => kinds[name] ?? broken("?");
  assert.equal(await findPython(["absent", "old", "other"], lookUp), "other");
  assert.equal(await findPython(["absent", "old"], lookUp), undefined);
});

test("a patch version makes no difference, a minor one does", () => {
  assert.ok(speaksWith("0.1.7", "0.1.0"));
  assert.ok(!speaksWith("0.10.0", "0.1.0"));
  assert.ok(!speaksWith("1.1.0", "0.1.0"));
});
