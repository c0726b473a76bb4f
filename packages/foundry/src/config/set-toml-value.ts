import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";

/** The maximum number of lines of a value. */
const maxValueLines = 500;
const maxDepth = 16;

/**
 * Sets a top-level key of a TOML text, or removes the key if the value is undefined. Comments, order and line endings
 * are preserved. Returns undefined if the text is written in a way in which the change could damage other settings.
 */
export function setTomlValue(text: string, key: string, value: unknown): string | undefined {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
  const { found, end } = findKey(lines, key);
  if (value === undefined) {
    const left = found === undefined ? lines : lines.toSpliced(found.at, found.count);
    const shorter = left.length === 0 ? "" : `${left.join(newline)}${newline}`;
    return isOnlyChange(text, shorter, key, false) ? shorter : undefined;
  }
  const printed = stringify({ [key]: value })
    .trimEnd()
    .split("\n");
  const after =
    found === undefined
      ? lines.toSpliced(end, 0, ...printed)
      : lines.toSpliced(found.at, found.count, ...withComment(printed, commentOf(found.text)));
  const edited = `${after.join(newline)}${newline}`;
  return isOnlyChange(text, edited, key) ? edited : undefined;
}

interface FoundKey {
  readonly at: number;
  /** The number of lines. */
  readonly count: number;
  readonly text: string;
}

/** Finds a key among the keys before the first table, and the line after the last of these keys. */
function findKey(lines: readonly string[], key: string): { readonly found?: FoundKey; readonly end: number } {
  let end = 0;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (/^\s*\[/.test(line)) break;
    if (/^\s*(?:#|$)/.test(line)) {
      at += 1;
      continue;
    }
    const count = countLines(lines, at);
    const name = /^\s*(["']?)([\w-]+)\1\s*=/.exec(line)?.[2];
    const text = lines.slice(at, at + count).join("\n");
    if (name === key) return { found: { at, count, text }, end };
    at += count;
    end = at;
  }
  return { end };
}

/**
 * Returns the number of lines of the entry that begins at a line. An entry ends as soon as its lines are valid TOML.
 */
function countLines(lines: readonly string[], at: number): number {
  const most = Math.min(lines.length - at, maxValueLines);
  for (let count = 1; count <= most; count++)
    if (tryParse(lines.slice(at, at + count).join("\n")) !== undefined) return count;
  return 1;
}

/** Returns the comment after the value of a one-line entry, or an empty text if there is none. */
function commentOf(entry: string): string {
  if (entry.includes("\n")) return "";
  const quoted = /^[^"'#]*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'#])*/.exec(entry)?.[0] ?? entry;
  return entry.slice(quoted.trimEnd().length);
}

function withComment(printed: readonly string[], comment: string): readonly string[] {
  return printed.map((line, index) => (index === printed.length - 1 ? `${line}${comment}` : line));
}

/** True if two texts differ only in the value of the key. */
function isOnlyChange(before: string, after: string, key: string, isThere = true): boolean {
  const [was, is] = [tryParse(before), tryParse(after)];
  if (was === undefined || is === undefined || Object.hasOwn(is, key) !== isThere) return false;
  const { [key]: _, ...others } = was;
  const { [key]: __, ...same } = is;
  return isDeepStrictEqual(others, same);
}

function tryParse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parse(text, { maxDepth });
  } catch {
    return undefined;
  }
}
