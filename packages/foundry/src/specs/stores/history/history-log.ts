import { isUtf8 } from "node:buffer";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { Splice } from "../../../files/json-text/splice.ts";
import { type SpecFolder, specFolders } from "../../model/spec-document.ts";
import { hashOf } from "../spec-file.ts";

/** A change from one revision to the next. */
export interface HistoryStep {
  readonly from: string;
  readonly to: string;
  /** The time of the change, ISO 8601 in UTC. */
  readonly at: string;
  readonly author: string;
  readonly action: string;
  readonly about: readonly string[];
  /** The folder from which the change moved the spec. */
  readonly moved_from?: SpecFolder | undefined;
  /**
   * `change` if the hash in `to` is the hash of the change, because the text was never written.
   * @default the hash of the text
   */
  readonly hash?: "change" | undefined;
}

/** A description of the change that produced a revision whose previous revision is not kept. */
export type HistoryOrigin = Omit<HistoryStep, "from">;

/** The bytes in a line: a text, or base64 if the bytes are not UTF-8. */
type Printed = string | { readonly base64: string };

/** A line of a log. A line without `from` is the origin of the following steps. */
export interface LogLine extends HistoryOrigin {
  readonly from?: string | undefined;
  /** The offset, the removed bytes and the inserted bytes of each splice. The values are parsed on demand. */
  readonly splices: readonly unknown[];
}

/** Prints a line without its newline. */
export function printLine(step: HistoryOrigin | HistoryStep, splices: readonly Splice[]): string {
  return JSON.stringify({ ...step, splices: printSplices(splices) });
}

/** Returns the hash of a change, for a revision whose text was never written. */
export function hashOfChange(from: string, splices: readonly Splice[]): string {
  return hashOf([Buffer.from(JSON.stringify([from, printSplices(splices)]))]);
}

/** True if the hash of a revision is the hash of the change that the line describes. */
export function isHashOfChange({ from, to, splices }: LogLine): boolean {
  return to.endsWith(`-${hashOf([Buffer.from(JSON.stringify([from, splices]))])}`);
}

function printSplices(splices: readonly Splice[]) {
  return splices.map(({ at, removed, inserted }) => [at, printBytes(removed), printBytes(inserted)]);
}

/** Parses a line; undefined if the line is incomplete or malformed. */
export function parseLine(bytes: Uint8Array): LogLine | undefined {
  let line: Partial<Record<keyof LogLine, unknown>>;
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    line = parseJsonText(text) as typeof line;
  } catch {
    return undefined;
  }
  const { from, to, at, author, action, about, moved_from: moved, hash, splices } = line ?? {};
  const texts = [from ?? "", to, at, author, action];
  const isLine =
    texts.every((each) => typeof each === "string") &&
    Array.isArray(about) &&
    about.every((each) => typeof each === "string") &&
    (moved === undefined || specFolders.some((folder) => folder === moved)) &&
    (hash === undefined || hash === "change") &&
    Array.isArray(splices);
  return isLine ? (line as LogLine) : undefined;
}

/** Parses the splices of a line; undefined if the splices are malformed. */
export function splicesOf({ splices }: LogLine): readonly Splice[] | undefined {
  const parsed: Splice[] = [];
  for (const each of splices) {
    const [at, removed, inserted] = Array.isArray(each) ? (each as unknown[]) : [];
    const [old, fresh] = [parseBytes(removed), parseBytes(inserted)];
    if (!Number.isSafeInteger(at) || old === undefined || fresh === undefined) return undefined;
    parsed.push({ at: at as number, removed: old, inserted: fresh });
  }
  return parsed;
}

function printBytes(bytes: Uint8Array): Printed {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString() : { base64: buffer.toString("base64") };
}

function parseBytes(printed: unknown): Uint8Array | undefined {
  if (typeof printed === "string") return Buffer.from(printed);
  const { base64 } = (printed ?? {}) as { base64?: unknown };
  return typeof base64 === "string" ? Buffer.from(base64, "base64") : undefined;
}

const newline = 0x0a;

/** Parses the valid lines of a log. The oldest line comes first. */
export function parseLog(log: Uint8Array): readonly LogLine[] {
  const lines: LogLine[] = [];
  for (let start = 0; start < log.length; ) {
    const end = log.indexOf(newline, start);
    const line = parseLine(log.subarray(start, end === -1 ? log.length : end));
    if (line !== undefined) lines.push(line);
    if (end === -1) break;
    start = end + 1;
  }
  return lines;
}

/** Parses the last valid line of a log without parsing the other lines. */
export function lastLine(log: Uint8Array): LogLine | undefined {
  for (let end = log.length; end > 0; ) {
    const start = log.lastIndexOf(newline, end - 1) + 1;
    const line = parseLine(log.subarray(start, end));
    if (line !== undefined) return line;
    end = start - 1;
  }
  return undefined;
}

/** Counts the lines of a log. */
export function countLines(log: Uint8Array): number {
  let count = 0;
  for (let at = log.indexOf(newline); at !== -1; at = log.indexOf(newline, at + 1)) count++;
  return count;
}

/** True for a log whose last line has no newline. */
export function isTorn(log: Uint8Array): boolean {
  return log.length > 0 && log.at(-1) !== newline;
}
