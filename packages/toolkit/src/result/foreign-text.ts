import { parseJsonText } from "@foundry-mcp/contract/input";

const maxMessageLength = 2_000;

/** Turns a text of another server into the message of a failure: without stack frames, shortened, or `fallback` where nothing is left. */
export function toMessage(text: string, fallback: string): string {
  const message = withoutStack(text).trim().toWellFormed();
  if (message === "") return fallback;
  return message.length <= maxMessageLength
    ? message
    : `${message.slice(0, maxMessageLength - 1).toWellFormed()}…`;
}

/** Removes the stack trace: what follows the message in JavaScript, what precedes it in Python. */
function withoutStack(text: string): string {
  const traceback = text.indexOf("Traceback (most recent call last)");
  if (traceback !== -1) return text.slice(0, traceback) + text.trimEnd().split("\n").at(-1);
  const frame = text.search(/\n[ \t]+at \S/);
  return frame === -1 ? text : text.slice(0, frame);
}

/** Matches absolute paths of two or more segments, but not the path of a URL. */
const path = /(?<![\w:/.])(?:file:\/\/)?(?:[A-Za-z]:\\|\/)(?:[^\s:'"()<>|\\/]+[\\/])+[^\s:'"()<>|,;]*/g;

/** Replaces absolute paths, which would reveal where a server keeps its files. */
export function withoutPaths(text: string): string {
  return text.replace(path, "(path)");
}

/** Parses a JSON text; returns undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return parseJsonText(text) as unknown;
  } catch {
    return undefined;
  }
}
