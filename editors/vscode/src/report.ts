/** The report on a function: a markdown document of the server's, shown as a page. */

import * as vscode from "vscode";
import type { ShowDocumentParams, ShowDocumentResult } from "vscode-languageclient/node";

type Next = (params: ShowDocumentParams, token: vscode.CancellationToken) => unknown;

/** Middleware of window/showDocument: markdown is shown as it is meant to be read, anything else as it is. */
export async function showDocument(
  params: ShowDocumentParams,
  token: vscode.CancellationToken,
  next: Next,
): Promise<ShowDocumentResult> {
  const uri = vscode.Uri.parse(params.uri, true);
  if (!uri.path.endsWith(".md")) return (await next(params, token)) as ShowDocumentResult;
  await vscode.commands.executeCommand("markdown.showPreview", uri);
  return { success: true };
}
