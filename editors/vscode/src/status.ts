/** What the status item says. */

import type { Count } from "./tally";

export type State =
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly version: string }
  | { readonly kind: "stopped" }
  | { readonly kind: "problem"; readonly reason: string };

export interface Shown {
  readonly text: string;
  readonly tooltip: string;
  readonly warns: boolean;
}

export function shown(state: State, count: Count): Shown {
  switch (state.kind) {
    case "starting":
      return { text: "$(loading~spin) mpt", tooltip: "The language server is starting", warns: false };
    case "stopped":
      return { text: "$(beaker) mpt (off)", tooltip: "The language server is not running", warns: false };
    case "problem":
      return { text: "$(alert) mpt", tooltip: state.reason, warns: true };
    case "running":
      return checking(state.version, count);
  }
}

function checking(version: string, { all, done, running, last }: Count): Shown {
  if (running.length === 0) {
    const tooltip = [`Nothing is being checked (server ${version})`, last].filter(Boolean).join("\n");
    return { text: "$(beaker) mpt", tooltip, warns: false };
  }
  return {
    text: `$(loading~spin) mpt: checking ${done + 1} of ${all}`,
    tooltip: [...running, "Click for a menu, with Stop All Checks"].join("\n"),
    warns: false,
  };
}
