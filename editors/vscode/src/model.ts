/** The language model: which one, its key, and the embedded one's download. */

import * as vscode from "vscode";

const KEY = "mpt.apiKey";

export function storedKey(secrets: vscode.SecretStorage): Thenable<string | undefined> {
  return secrets.get(KEY);
}

export async function setKey(secrets: vscode.SecretStorage): Promise<void> {
  const key = await vscode.window.showInputBox({
    title: "The language model's key",
    prompt: "Kept in this machine's secret storage, given to the language server alone, in no settings file.",
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (/^\S+$/.test(text.trim()) ? undefined : "A key is one word"),
  });
  if (key) await secrets.store(KEY, key.trim());
}

export async function forgetKey(secrets: vscode.SecretStorage): Promise<void> {
  await secrets.delete(KEY);
}

export function onKeyChanged(secrets: vscode.SecretStorage, changed: () => void): vscode.Disposable {
  return secrets.onDidChange(({ key }) => key === KEY && changed());
}

interface Choice extends vscode.QuickPickItem {
  /** The value of the setting mpt.llm; undefined: none was typed. */
  llm(): Promise<string | undefined>;
  readonly wantsKey: boolean;
}

const CHOICES: readonly Choice[] = [
  {
    label: "$(vm) Embedded model",
    detail: "Runs on this machine; nothing is sent anywhere. A download of 1.1 GB, once.",
    llm: async () => "embedded",
    wantsKey: false,
  },
  {
    label: "$(server) A server of your own",
    detail: "Anything that speaks the OpenAI protocol: Ollama, llama.cpp, vLLM, a proxy of your company's.",
    llm: ownServer,
    wantsKey: false,
  },
  {
    label: "$(cloud) OpenAI's service",
    detail:
      "Signatures and docstrings are sent there, bodies never. It costs money, up to the limits you set.",
    llm: () => ask("The model's name", "for instance gpt-4.1-mini", (text) => text.length > 0),
    wantsKey: true,
  },
];

export async function chooseModel(secrets: vscode.SecretStorage): Promise<void> {
  const choice = await vscode.window.showQuickPick(CHOICES, {
    title: "The language model that writes the programs",
  });
  const llm = await choice?.llm();
  if (!choice || !llm) return;
  await vscode.workspace.getConfiguration("mpt").update("llm", llm, vscode.ConfigurationTarget.Global);
  if (choice.wantsKey && !(await storedKey(secrets))) await setKey(secrets);
}

async function ownServer(): Promise<string | undefined> {
  const url = await ask("The server's base URL", "for instance http://127.0.0.1:11434/v1", (text) =>
    /^https?:\/\/[^\s@]+$/.test(text),
  );
  if (!url) return undefined;
  const name = await ask("The model's name", "as the server calls it", (text) => text.length > 0);
  return name && `${name}@${url}`;
}

async function ask(
  title: string,
  placeHolder: string,
  fits: (text: string) => boolean,
): Promise<string | undefined> {
  const validateInput = (text: string) =>
    fits(text.trim()) ? undefined : `Not a usable answer (${placeHolder})`;
  const text = await vscode.window.showInputBox({ title, placeHolder, ignoreFocusOut: true, validateInput });
  return text?.trim();
}

/** In a terminal, where its progress is seen and Ctrl-C stops it; it goes on where it was stopped. */
export async function downloadModel(python: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const code = "from mpt.cli import main; main()";
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const options = { cwd, env: Object.fromEntries(set) };
  const execution = new vscode.ProcessExecution(python, ["-c", code, "llm", "pull"], options);
  const name = "download the embedded model";
  await vscode.tasks.executeTask(
    new vscode.Task({ type: "process" }, vscode.TaskScope.Global, name, "mpt", execution),
  );
}
