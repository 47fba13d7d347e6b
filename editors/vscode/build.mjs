// Bundles the extension into one file, and puts beside it what the package carries: the server's wheel, the example,
// the licence. The wheel is built with the project's own virtual environment, which has the build backend.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const project = here("../../");

await build({
  entryPoints: [here("src/extension.ts")],
  outfile: here("dist/extension.js"),
  bundle: true,
  minify: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
});

rmSync(here("wheel"), { recursive: true, force: true });
execFileSync(
  `${project}.venv/bin/python`,
  [
    "-m",
    "pip",
    "wheel",
    "--quiet",
    "--no-deps",
    "--no-build-isolation",
    "--wheel-dir",
    here("wheel"),
    project,
  ],
  { stdio: "inherit" },
);

mkdirSync(here("example"), { recursive: true });
copyFileSync(`${project}examples/quickstart.py`, here("example/quickstart.py"));
copyFileSync(`${project}LICENSE`, here("LICENSE"));
