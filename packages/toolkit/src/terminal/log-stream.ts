import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { Canvas } from "../define/action.ts";
import { canvasOf, type TerminalSize } from "./canvas-of.ts";
import { indent, type Line, prose, render, type Style, styled } from "./line.ts";
import { toWords, wordsOf } from "./words.ts";

/** The stream of a pino logger. */
export interface LogStream {
  write(line: string): void;
}

/** The stream that receives the lines for people. */
export type LogTarget = TerminalSize & { write(text: string): unknown };

/**
 * Creates the stream of a pino logger that writes short lines for people, for a stderr that is a terminal.
 *
 * @example
 * const logger = process.stderr.isTTY ? pino(createLogStream()) : pino(pino.destination(2));
 */
export function createLogStream(
  target: LogTarget = process.stderr,
  env: Readonly<Record<string, string | undefined>> = process.env,
): LogStream {
  // A canvas is created for every line, because the width of the window may change between lines.
  return { write: (line) => void target.write(showLogLine(line, canvasOf(target, env))) };
}

/** Formats a line of a pino logger: time, level, message and fields, followed by the stack of an error. */
export function showLogLine(json: string, canvas: Canvas): string {
  const record = parseRecord(json);
  if (record === undefined) return render(prose(json), canvas);
  const { time, level, msg, err } = record;
  const severity = typeof level === "number" ? level : 0;
  const isFailure = severity >= 50;
  const [word, style] = levels.find(({ from }) => severity >= from)?.shown ?? ["trace", "dim"];
  const shown = toFields(record).filter(([name, value]) => isFailure || !isDetail(name, value));
  const first: Line = {
    lead: [styled("dim", clockTime(time)), " ", styled(style, word.padEnd(5)), " "],
    text: [
      String(msg ?? ""),
      ...shown.flatMap(([name, value]) => [" ", styled("dim", `${name}=`), toText(value)]),
    ],
    hang: [" ".repeat(15)],
  };
  const stack = isFailure && isRecord(err) && typeof err["stack"] === "string" ? err["stack"] : "";
  return render([first, ...(stack === "" ? [] : indent(prose(stack, "dim"), 9))], canvas);
}

function parseRecord(json: string): UnknownRecord | undefined {
  try {
    const value = parseJsonText(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const levels: readonly { readonly from: number; readonly shown: readonly [word: string, style: Style] }[] = [
  { from: 60, shown: ["fatal", "red"] },
  { from: 50, shown: ["error", "red"] },
  { from: 40, shown: ["warn", "yellow"] },
  { from: 30, shown: ["info", "green"] },
  { from: 20, shown: ["debug", "dim"] },
];

/** The fields that are not listed, because they are shown separately or are the same on every line. */
const standard = new Set(["level", "time", "msg", "pid", "hostname"]);

/** The fields that are shown first, regardless of their position in the record. */
const leading = ["tool", "action", "error_code"];

/** Lists the fields of a record with their values; members of an object, such as ids, are listed as fields. */
function toFields(record: UnknownRecord): readonly (readonly [name: string, value: unknown])[] {
  const fields = Object.entries(record)
    .filter(([name]) => !standard.has(name))
    .flatMap(([name, value]) =>
      isRecord(value) && !isError(value) && toWords(value) !== undefined
        ? Object.entries(value)
        : [[name, value] as const],
    );
  const rank = ([name]: readonly [string, unknown]) =>
    leading.includes(name) ? leading.indexOf(name) : leading.length;
  return fields.toSorted((one, other) => rank(one) - rank(other));
}

/**
 * True for fields that are left out of a line about a call, because these fields repeat other parts of the line or
 * are only useful to programs. Lines about errors show all fields.
 */
function isDetail(name: string, value: unknown): boolean {
  return details.has(name) || (name === "principal" && value === "local");
}

const details = new Set(["request_id", "trace_id", "span_id", "success", "surface", "audit", "role"]);

/** Formats the local time of day. */
function clockTime(time: unknown): string {
  const date = new Date(typeof time === "number" || typeof time === "string" ? time : Number.NaN);
  if (Number.isNaN(date.getTime())) return "--:--:--";
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

/**
 * Formats a value. An error is shown as its message, because its stack is printed below the line or in the JSON
 * log.
 */
function toText(value: unknown): string {
  const text = isError(value)
    ? value.message
    : wordsOf(isFraction(value) ? Number(value.toPrecision(3)) : value);
  return text === "" || /\s/.test(text) ? `"${text}"` : text;
}

function isFraction(value: unknown): value is number {
  return typeof value === "number" && !Number.isInteger(value);
}

function isError(value: unknown): value is { readonly message: string } {
  return isRecord(value) && typeof value["message"] === "string" && typeof value["type"] === "string";
}
