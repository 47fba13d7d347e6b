/** The connection to a running server: vscode-languageclient, told what this extension does differently. */

import * as vscode from "vscode";
import {
  CloseAction,
  type ConfigurationParams,
  ErrorAction,
  type InitializeResult,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";
import { reasonOf } from "./changeReason";
import type { Connection } from "./lifecycle";
import type { Progresses } from "./progresses";
import { showDocument } from "./report";
import { startServer } from "./serverProcess";
import { type Sections, setByPerson } from "./settings";
import type { Spent } from "./status";

export interface Connecting {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: vscode.LogOutputChannel;
  readonly sections: Sections;
  readonly progresses: Progresses;
  /** Hears what was spent today: at the start, and whenever a check has ended. */
  readonly spent: (today: Spent) => void;
  /** Called, with its last words, when the server ends without having been stopped. */
  readonly died: (lastWords: string) => void;
}

/** Rejects where the server cannot be started, or does not answer as one. */
export async function connect(connecting: Connecting): Promise<Connection> {
  const { command, cwd, env, log, progresses, spent, died } = connecting;
  log.info(`starting ${command.join(" ")}`);
  const server = await startServer(command, cwd, env);
  const listening: vscode.Disposable[] = [];
  function leave(): void {
    for (const listener of listening) listener.dispose();
    progresses.detach();
  }
  const client = new Client(
    "mpt",
    "mpt",
    () => Promise.resolve(server.child),
    options(connecting, {
      changing: ({ uri }, reason) => {
        void client.sendNotification("mpt/changeReason", { uri: uri.toString(), reason });
      },
      closed: () => {
        leave();
        died(server.lastWords());
      },
      checked: () => void tellSpent(client, spent),
    }),
  );
  try {
    await client.start();
  } catch (error) {
    server.child.kill();
    throw new Error(server.lastWords() || String(error));
  }
  progresses.attach(client);
  listening.push(...listeners(client, progresses));
  void tellSpent(client, spent);
  return {
    version: versionOf(client.initializeResult),
    stop: async () => {
      leave();
      await client.dispose().catch((error: unknown) => log.warn(String(error)));
      await server.ended();
    },
  };
}

/** Says nothing of its own about a connection that is lost or never was: the lifecycle tells that, with buttons that help. */
class Client extends LanguageClient {
  override error(message: string, data?: unknown, notify: boolean | "force" = true): void {
    super.error(message, data, notify === "force" ? false : notify);
  }
}

function listeners(client: LanguageClient, progresses: Progresses): vscode.Disposable[] {
  return [
    vscode.workspace.onDidSaveTextDocument(() => progresses.saved()),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("mpt")) {
        await client.sendNotification("workspace/didChangeConfiguration", { settings: null });
      }
    }),
  ];
}

/** A server that cannot say it leaves what was known. */
async function tellSpent(client: LanguageClient, spent: (today: Spent) => void): Promise<void> {
  await client.sendRequest<Spent>("mpt/spentToday", {}).then(spent, () => undefined);
}

interface Events {
  /** A document is about to change, and the editor says why. */
  changing(document: vscode.TextDocument, reason: string): void;
  /** A check has ended. */
  checked(): void;
  /** The server is gone. */
  closed(): void;
}

function options(
  { log, sections, progresses }: Connecting,
  { changing, checked, closed }: Events,
): LanguageClientOptions {
  return {
    documentSelector: [
      { language: "python", scheme: "file" },
      { language: "python", scheme: "untitled" },
    ],
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never, // a request that failed is for the log; a command, the editor tells
    // The extension runs in trusted folders alone (package.json), so there is nothing to ask the person.
    initializationOptions: { trusted: vscode.workspace.isTrusted },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        closed();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    middleware: {
      didChange: (event, next) => {
        const reason = reasonOf(event);
        if (reason) changing(event.document, reason);
        return next(event);
      },
      workspace: { configuration: (params) => configuration(params, sections) },
      window: { showDocument },
      handleWorkDoneProgress: (token, value, next) => {
        progresses.note(token, value, () => next(token, value));
        if (value.kind === "end") checked();
      },
      executeCommand: (command, args, next) => {
        if (command.startsWith("mpt.revalidate")) progresses.asked();
        return next(command, args);
      },
    },
  };
}

function configuration({ items }: ConfigurationParams, sections: Sections): unknown[] {
  return items.map(({ section, scopeUri }) => {
    const scope = scopeUri ? vscode.Uri.parse(scopeUri) : undefined;
    const settings = vscode.workspace.getConfiguration(section, scope);
    return section === "mpt" ? setByPerson(sections, (name) => settings.inspect(name)) : null;
  });
}

function versionOf(result: InitializeResult | undefined): string {
  return result?.serverInfo?.version ?? "of an unknown version";
}
