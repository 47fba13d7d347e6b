/** The Python extension, where there is one. */

import * as vscode from "vscode";

/** The part of its interface that is used here. */
interface PythonExtension {
  readonly environments: {
    getActiveEnvironmentPath(): { readonly path: string };
    resolveEnvironment(environment: {
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** The path of the interpreter that the person chose there; undefined: no extension, or none chosen. */
export async function activeInterpreter(): Promise<string | undefined> {
  const environments = (await activated())?.environments;
  const environment =
    environments && (await environments.resolveEnvironment(environments.getActiveEnvironmentPath()));
  return environment?.executable.uri?.fsPath;
}

export async function onInterpreterChanged(changed: () => void): Promise<vscode.Disposable | undefined> {
  return (await activated())?.environments.onDidChangeActiveEnvironmentPath(changed);
}

async function activated(): Promise<PythonExtension | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  return extension?.activate();
}
