import { parseJsonText } from "@foundry-mcp/contract/input";

const maxMessageLength = 2_000;

/**
 * Converts a text of another server to the message of a failure: removes stack frames and shortens the text.
 * Returns `fallback` if no text remains.
 */
export function toMessage(text: string, fallback: string): string {
  const message = withoutStack(text).trim().toWellFormed();
  if (message === "") return fallback;
  return message.length <= maxMessageLength
    ? message
    : `${message.slice(0, maxMessageLength - 1).toWellFormed()}…`;
}

/** Removes the stack trace, which comes after the message in JavaScript and before the message in Python. */
function withoutStack(text: string): string {
  const traceback = text.indexOf("Traceback (most recent call last)");
  if (traceback !== -1) return text.slice(0, traceback) + text.trimEnd().split("\n").at(-1);
  const frame = text.search(/\n[ \t]+at \S/);
  return frame === -1 ? text : text.slice(0, frame);
}

/** Matches absolute paths of two or more segments, but not the path of a URL. */
const path = /(?<![\w:/.])(?:file:\/\/)?(?:[A-Za-z]:\\|\/)(?:[^\s:'"()<>|\\/]+[\\/])+[^\s:'"()<>|,;]*/g;

/** Replaces absolute paths, because they would reveal the locations of a server's files. */
export function withoutPaths(text: string): string {
  return text.replace(path, "(path)");
}

/** Matches the beginning of every JSON text. */
const jsonStart = /^\s*(?:[[{"\-\d]|true|false|null)/;

/** Parses a JSON text; returns undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  // Most texts are no JSON, and an exception takes longer than this test.
  if (!jsonStart.test(text)) return undefined;
  try {
    return parseJsonText(text) as unknown;
  } catch {
    return undefined;
  }
}
