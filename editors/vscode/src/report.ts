/** Documents of the server's: a report is shown as a page, a difference as two texts side by side. */

import * as vscode from "vscode";
import type { ShowDocumentParams, ShowDocumentResult } from "vscode-languageclient/node";

type Next = (params: ShowDocumentParams, token: vscode.CancellationToken) => unknown;

/** Middleware of window/showDocument: what is neither is shown as it is. */
export async function showDocument(
  params: ShowDocumentParams,
  token: vscode.CancellationToken,
  next: Next,
): Promise<ShowDocumentResult> {
  const uri = vscode.Uri.parse(params.uri, true);
  if (uri.path.endsWith(".md")) await vscode.commands.executeCommand("markdown.showPreview", uri);
  else if (uri.path.endsWith(".diff")) await showDifference(uri);
  else return (await next(params, token)) as ShowDocumentResult;
  return { success: true };
}

/** Its two sides stand beside it (mpt_server.fixing.compare). */
async function showDifference(uri: vscode.Uri): Promise<void> {
  const base = uri.path.slice(0, -".diff".length);
  const [mine, theirs] = ["mine", "theirs"].map((side) => uri.with({ path: `${base}.${side}.py` }));
  await vscode.commands.executeCommand(
    "vscode.diff",
    mine,
    theirs,
    `${base.slice(1)} ↔ a paraphrase program`,
  );
}
