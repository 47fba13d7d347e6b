/** Why a document changed, which only the editor knows: it tells the server who wrote what. */

/** What is used of vscode.TextDocumentChangeEvent. detailedReason is there only in editors whose API tells it. */
export interface ChangeEvent {
  /** 1: undo, 2: redo. */
  readonly reason?: number | undefined;
  readonly detailedReason?: { readonly source: string } | undefined;
}

/** In the editor's own words; undefined: it does not say. */
export function reasonOf({ reason, detailedReason }: ChangeEvent): string | undefined {
  return detailedReason?.source ?? (reason === undefined ? undefined : NAMES[reason]);
}

const NAMES: Readonly<Record<number, string>> = { 1: "undo", 2: "redo" };
