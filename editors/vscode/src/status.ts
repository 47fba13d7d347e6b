/** What the status item says. */

import type { Count } from "./tally";

/** Of language models, on this machine, since midnight (UTC). */
export interface Spent {
  readonly calls: number;
  readonly tokens: number;
}

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

export function shown(state: State, count: Count, spent: Spent): Shown {
  switch (state.kind) {
    case "starting":
      return { text: "$(loading~spin) mpt", tooltip: "The language server is starting", warns: false };
    case "stopped":
      return { text: "$(beaker) mpt (off)", tooltip: "The language server is not running", warns: false };
    case "problem":
      return { text: "$(alert) mpt", tooltip: state.reason, warns: true };
    case "running":
      return count.running.length > 0 ? checking(count, spent) : idle(state.version, count, spent);
  }
}

function idle(version: string, { last }: Count, spent: Spent): Shown {
  const lines = [`Nothing is being checked (server ${version})`, last, today(spent)];
  const text = spent.calls > 0 ? `$(beaker) mpt: ${counted(spent.calls, "call")} today` : "$(beaker) mpt";
  return { text, tooltip: lines.filter(Boolean).join("\n"), warns: false };
}

function checking({ all, done, running }: Count, spent: Spent): Shown {
  return {
    text: `$(loading~spin) mpt: checking ${done + 1} of ${all}`,
    tooltip: [...running, today(spent), "Click for a menu, with Stop All Checks"].join("\n"),
    warns: false,
  };
}

function today({ calls, tokens }: Spent): string {
  return `Spent today: ${counted(calls, "language model call")}, ${counted(tokens, "token")}`;
}

function counted(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
