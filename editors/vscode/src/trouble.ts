/** What went wrong while setting up, in words that say what to do. */

import { lastLine } from "./python";

/** `message` is one sentence or two, for a notification. */
export class Trouble extends Error {}

const KNOWN: readonly (readonly [RegExp, string])[] = [
  [
    /ensurepip is not available|No module named '?(venv|ensurepip)/,
    "Python's venv module is missing (on Debian and Ubuntu: install python3-venv), or install uv.",
  ],
  [/ENOSPC|No space left/i, "The disk is full."],
  [
    /EACCES|EPERM|EROFS|Permission denied|Read-only file system/i,
    "The folder of the extension's environments cannot be written to.",
  ],
  [
    /ProxyError|Tunnel connection failed|proxy/i,
    "The proxy refused the connection to the Python package index. Check the setting http.proxy.",
  ],
  [
    /CERTIFICATE_VERIFY_FAILED|invalid peer certificate|certificate verify failed/i,
    "The Python package index's certificate was not accepted. Behind a proxy that inspects traffic, its certificate must be trusted.",
  ],
  [
    /No matching distribution|Could not find a version|Temporary failure in name resolution|Name or service not known|getaddrinfo|Network is unreachable|Connection refused|timed out|Failed to fetch|dns error|error sending request|Could not connect/i,
    "The Python package index could not be reached. Is there a network? Behind a proxy, set http.proxy.",
  ],
];

/** For output, or an error's text, of whatever failed. */
export function explain(output: string): string {
  const known = KNOWN.find(([pattern]) => pattern.test(output));
  return known ? known[1] : lastLine(output);
}
