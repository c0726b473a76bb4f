import type { Edit } from "../../../files/json-text/edit.ts";
import { editText } from "../../../files/json-text/edit-text.ts";
import type { MergeConflict } from "./merge-members.ts";

type Choice = { readonly edit: Edit; readonly shown: MergeConflict["shown"] };

/** A range of lines of a text, with the lines that replace the range on each side. */
interface Region {
  readonly from: number;
  readonly to: number;
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
  readonly choices: readonly Choice[];
}

/**
 * The maximum number of separate regions. If there are more conflicts, they become one region, because each
 * region requires a pass over the text.
 */
const maxRegions = 200;

/**
 * Writes conflicts into a text as git does: both sides of a conflict are enclosed in marker lines. A person
 * who keeps either side of each conflict gets valid JSON.
 */
export function writeMarkers(text: Buffer, conflicts: readonly MergeConflict[]): Buffer {
  const lines = splitLines(text.toString());
  const choices = conflicts.flatMap(({ edits, shown }) => edits.map((edit) => ({ edit, shown })));
  const apply = (all: readonly Choice[], shown: MergeConflict["shown"]) => {
    const edits = withoutRemoved(all.filter((each) => each.shown === shown).map(({ edit }) => edit));
    return edits.length === 0
      ? lines
      : splitLines(Buffer.concat([...editText(text, edits).chunks]).toString());
  };
  // The text contains one side of each choice. The edits of the choice produce the other side.
  const toRegion = (own: readonly Choice[]): Region => ({
    ...compareLines(lines, apply(own, "theirs"), apply(own, "ours")),
    choices: own,
  });
  let regions: readonly Region[] =
    choices.length > maxRegions ? [toRegion(choices)] : choices.map((each) => toRegion([each]));
  for (let count = -1; count !== regions.length; ) {
    count = regions.length;
    regions = joinTouching(regions.toSorted((a, b) => a.from - b.from)).map(toRegion);
  }
  return Buffer.from(printRegions(lines, regions, newlineOf(text)));
}

/** Drops edits that are inside a value that another edit removes. */
function withoutRemoved(edits: readonly Edit[]): readonly Edit[] {
  const removed = new Set(edits.filter(({ op }) => op === "remove").map(({ path }) => JSON.stringify(path)));
  return edits.filter(({ path }) =>
    path.every((_, index) => index === 0 || !removed.has(JSON.stringify(path.slice(0, index)))),
  );
}

/**
 * Writes two texts as one conflict. Equal lines at the start and at the end of both texts are not part of the
 * conflict.
 */
export function writeWholeConflict(ours: Buffer, theirs: Buffer): Buffer {
  const lines = splitLines(ours.toString());
  const region = { ...compareLines(lines, lines, splitLines(theirs.toString())), choices: [] };
  return Buffer.from(printRegions(lines, [region], newlineOf(ours)));
}

function newlineOf(text: Buffer): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

const marker = /^(?:<{7}|\|{7}|={7}|>{7})(?:[ \r]|$)/;

/**
 * Returns the numbers of the lines that are conflict markers, counted from 1. JSON without conflicts contains
 * no such lines.
 */
export function findMarkers(text: string): readonly number[] {
  return text.split("\n").flatMap((line, index) => (marker.test(line) ? [index + 1] : []));
}

/** Splits a text into lines with their line ends. Joining the lines restores the text. */
function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * Finds the range of lines in which a text differs from one of two sides, and the lines of each side in that
 * range.
 */
function compareLines(lines: readonly string[], ours: readonly string[], theirs: readonly string[]) {
  const length = Math.min(lines.length, ours.length, theirs.length);
  let from = 0;
  while (from < length && lines[from] === ours[from] && lines[from] === theirs[from]) from += 1;
  let end = 0;
  const isSame = (at: number) => lines.at(-at) === ours.at(-at) && lines.at(-at) === theirs.at(-at);
  while (end < length - from && isSame(end + 1)) end += 1;
  return {
    from,
    to: lines.length - end,
    ours: ours.slice(from, ours.length - end),
    theirs: theirs.slice(from, theirs.length - end),
  };
}

/** Joins the choices of regions that overlap or are adjacent. */
function joinTouching(regions: readonly Region[]): readonly (readonly Choice[])[] {
  const joined: { to: number; choices: readonly Choice[] }[] = [];
  for (const { from, to, choices } of regions) {
    const last = joined.at(-1);
    if (last === undefined || from > last.to) joined.push({ to, choices });
    else joined[joined.length - 1] = { to: Math.max(last.to, to), choices: [...last.choices, ...choices] };
  }
  return joined.map(({ choices }) => choices);
}

function printRegions(lines: readonly string[], regions: readonly Region[], newline: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, ours, theirs } of regions) {
    parts.push(...lines.slice(at, from));
    parts.push(`<<<<<<< ours${newline}`, ...complete(ours, newline), `=======${newline}`);
    parts.push(...complete(theirs, newline), `>>>>>>> theirs${newline}`);
    at = to;
  }
  return [...parts, ...lines.slice(at)].join("");
}

/** Adds a missing line end, so that a marker begins on a new line even after the last line of a file. */
function complete(lines: readonly string[], newline: string): readonly string[] {
  return lines.map((line) => (line.endsWith("\n") ? line : `${line}${newline}`));
}
