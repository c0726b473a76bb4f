import type { UnknownRecord } from "@foundry-mcp/contract";
import { toShellCommand } from "@foundry-mcp/toolkit/cli";
import {
  bar,
  type Canvas,
  commandLines,
  glyphsOf,
  type Line,
  numberOf,
  percent,
  recordOf,
  type Span,
  section,
  styled,
  textOf,
} from "@foundry-mcp/toolkit/terminal";
import { programName } from "../../program/program-name.ts";

// Functions that several views share.

/** Returns the sign of a status. */
export function statusMark(status: unknown, canvas: Canvas): Span {
  const { done, started, blocked, open } = glyphsOf(canvas);
  switch (status) {
    case "completed":
      return styled("green", done);
    case "in_progress":
      return styled("yellow", started);
    case "blocked":
      return styled("red", blocked);
    default:
      return styled("dim", open);
  }
}

/** Returns a status with spaces instead of underscores. */
export function statusWords(status: unknown): string {
  return textOf(status).replaceAll("_", " ");
}

/** The number of completed tasks, and the number of all tasks. */
export interface Tally {
  readonly completed: number;
  readonly total: number;
}

/** Converts the member `progress` of a payload to a tally. */
export function tallyOf(progress: unknown): Tally {
  const { completed, total } = recordOf(progress);
  return { completed: numberOf(completed), total: numberOf(total) };
}

/** Returns a progress bar and its percentage. */
export function progressBar({ completed, total }: Tally, canvas: Canvas, columns = 10): readonly Span[] {
  return [...bar(completed, total, columns, canvas), ` ${percent(completed, total).padStart(5)}`];
}

/** Returns a progress in words, such as "1 of 4 (25 %)". */
export function progressWords({ completed, total }: Tally): string {
  return `${completed} of ${total} (${percent(completed, total)})`;
}

/** Returns a command of this program in the form in which it is typed. */
export function commandText(...words: readonly string[]): string {
  return `${programName} ${toShellCommand(words)}`;
}

/** Returns the commands to type next. Commands that lack an id are left out. */
export function nextCommands(canvas: Canvas, ...commands: readonly (readonly string[])[]): readonly Line[] {
  const known = commands.filter((words) => words.every((word) => word !== ""));
  return section(
    "Next",
    known.flatMap((words) => commandLines(commandText(...words), canvas, { indent: 2 })),
  );
}

/** Returns a command after a label, such as "next:". */
export function labelled(
  label: string,
  words: readonly string[],
  canvas: Canvas,
  indent = 0,
): readonly Line[] {
  return commandLines(commandText(...words), canvas, { lead: [styled("dim", `${label} `)], indent });
}

/** Returns an id with its title. */
export function named(id: unknown, title: unknown): readonly Span[] {
  const name = textOf(title);
  return [styled("bold", textOf(id)), ...(name === "" ? [] : [` ${name}`])];
}

/** Returns a progress as a bar and in numbers. */
export function progressSpans(tally: Tally, canvas: Canvas): readonly Span[] {
  const columns = canvas.width !== undefined && canvas.width < 60 ? 10 : 20;
  return [...progressBar(tally, canvas, columns), `  ${tally.completed} of ${tally.total}`];
}

/** Returns a line with the number of shown rows and the number of all rows; empty if all rows are shown. */
export function countLine(
  shown: number,
  { filtered_count, total_count }: UnknownRecord,
  noun: string,
): readonly Line[] {
  const all = typeof filtered_count === "number" ? filtered_count : numberOf(total_count);
  return all > shown ? [{ text: [styled("dim", `${shown} of ${all} ${noun}`)] }] : [];
}

/** Groups rows by a key. The groups are in the order of their first rows. */
export function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
