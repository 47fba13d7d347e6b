/** The commands of the palette and the menus. What they ask of the server goes through the server's own commands. */

import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Extension } from "./extension";
import { chooseModel, downloadModel, forgetKey, setKey } from "./model";
import { environmentFor } from "./setup";

export function registerCommands(extension: Extension): vscode.Disposable {
  const { secrets } = extension.context;
  const commands: Record<string, () => unknown> = {
    "mpt.function.revalidate": () => onFunction("mpt.revalidate"),
    "mpt.function.report": () => onFunction("mpt.showDisagreements"),
    "mpt.file.revalidate": () => onFile("mpt.revalidateFile"),
    "mpt.all.revalidate": () => ask(extension, "mpt.revalidateAll"),
    "mpt.checks.stop": () => ask(extension, "mpt.stop"),
    "mpt.menu": () => showMenu(extension),
    "mpt.model.choose": () => chooseModel(secrets),
    "mpt.model.download": () => download(extension),
    "mpt.key.set": () => setKey(secrets),
    "mpt.key.forget": () => forgetKey(secrets),
    "mpt.server.setUp": () => extension.setUp(),
    "mpt.server.restart": () => extension.lifecycle.restartAfresh(),
    "mpt.server.log": () => extension.log.show(),
    "mpt.example.open": () => openExample(extension.context),
  };

  async function onFile(command: string): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor) await ask(extension, command, extension.uriOf(editor.document));
  }

  /** The server says which function the cursor is in: by what it offers to do there. */
  async function onFunction(command: string): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const { document, selection } = editor;
    const offered = await vscode.commands.executeCommand<(vscode.CodeAction | vscode.Command)[]>(
      "vscode.executeCodeActionProvider",
      document.uri,
      selection,
      vscode.CodeActionKind.QuickFix.value,
    );
    const action = offered
      .map((one) => (typeof one.command === "object" ? one.command : undefined))
      .find((one) => one?.command === command);
    if (action) await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
    else void vscode.window.showInformationMessage(nothingHere(command));
  }

  const disposables = Object.entries(commands).map(([name, act]) =>
    vscode.commands.registerCommand(name, act),
  );
  return vscode.Disposable.from(...disposables);
}

function nothingHere(command: string): string {
  return command === "mpt.revalidate"
    ? "mpt: there is no documented function at the cursor."
    : "mpt: there is no report on a function at the cursor.";
}

async function ask(extension: Extension, command: string, ...args: readonly unknown[]): Promise<void> {
  if (extension.running) await vscode.commands.executeCommand(command, ...args);
  else await extension.lifecycle.restartAfresh();
}

const MENU = [
  "mpt.function.revalidate",
  "mpt.function.report",
  "mpt.file.revalidate",
  "mpt.all.revalidate",
  "mpt.checks.stop",
  "mpt.model.choose",
  "mpt.server.restart",
  "mpt.server.log",
];

async function showMenu({ context }: Extension): Promise<void> {
  const declared: { command: string; title: string; icon: string }[] =
    context.extension.packageJSON.contributes.commands;
  const items = declared
    .filter(({ command }) => MENU.includes(command))
    .map(({ command, title, icon }) => ({ label: `${icon} ${title}`, command }));
  const chosen = await vscode.window.showQuickPick(items, { title: "mpt" });
  if (chosen) await vscode.commands.executeCommand(chosen.command);
}

async function download(extension: Extension): Promise<void> {
  const python = await extension.setup.python();
  if (python) await downloadModel(python, extension.setup.cwd, environmentFor(undefined));
  else await extension.offerSetUp();
}

/** A copy of the example, for the person to change and save. */
async function openExample(context: vscode.ExtensionContext): Promise<void> {
  const folder = vscode.Uri.joinPath(context.globalStorageUri, "example").fsPath;
  await mkdir(folder, { recursive: true });
  const path = join(folder, "quickstart.py");
  await copyFile(context.asAbsolutePath("example/quickstart.py"), path);
  await vscode.window.showTextDocument(vscode.Uri.file(path));
}
