import type { Draft, DraftNote, FieldValue } from "./draft.ts";
import { unescapeInline } from "./escape-text.ts";
import { findField, noteFields, specFields } from "./fields.ts";
import { type Loss, toLoss } from "./import-report.ts";
import { isBlankLine, splitLines, trimSpaces } from "./lines.ts";
import { parseField } from "./parse-field.ts";

/** The front matter of a document. */
export interface FrontMatter extends Omit<Draft, "nodes"> {
  /** The index of the first line after the front matter. */
  readonly end: number;
}

const maxLines = 200;

/** Parses the front matter: a subset of YAML between two lines of `---`. Blank lines may precede it. */
export function parseFrontMatter(lines: readonly string[], losses: Loss[]): FrontMatter {
  const start = Math.max(
    0,
    lines.findIndex((line) => !isBlankLine(line)),
  );
  const end = endOf(lines, start);
  const fields: Record<string, FieldValue> = {};
  const notes: Record<string, readonly DraftNote[]> = {};
  let [specId, title]: (string | undefined)[] = [];
  const context = { lines, losses, isPlain: false };
  for (const { at, key, value, items } of parseEntries(lines, start + 1, end - 1)) {
    const field = key === "description" ? undefined : findField(specFields, key);
    const note = findField(noteFields, key);
    const text = items.length === 0 ? value : items.join("\n");
    if (key === "spec_id") specId = text;
    else if (key === "title") title = text;
    else if (key === "description" && text !== "") fields["description"] = text;
    else if (field?.kind === "list" && items.length > 0) fields[field.key] = items;
    else if (field !== undefined && text !== "") {
      const parsed = parseField(context, field, text, { from: at, blocks: [] });
      if (parsed !== undefined) fields[field.key] = parsed;
    } else if (note !== undefined && (items.length > 0 || value !== ""))
      notes[note.key] = (items.length > 0 ? items : [value]).map((each) => ({ text: each, facts: {} }));
    else losses.push(toLoss(at + 1, lines[at] ?? "", "The front matter has no known field"));
  }
  return { end, specId, title, fields, notes };
}

/**
 * Returns the number of the line `spec_id: …` in a document whose front matter names no spec; undefined if there is
 * none. Such a line is not in front matter, because text is above the front matter or a line of `---` is missing.
 */
export function findStrayId(text: string): number | undefined {
  const at = splitLines(text)
    .slice(0, maxLines)
    .findIndex((line) => /^spec_id:[ \t]*[A-Za-z0-9][\w-]*[ \t]*$/.test(line));
  return at === -1 ? undefined : at + 1;
}

function endOf(lines: readonly string[], start: number): number {
  if (trimSpaces(lines[start] ?? "") !== "---") return 0;
  for (let at = start + 1; at < Math.min(lines.length, start + maxLines); at++) {
    const line = trimSpaces(lines[at] as string);
    if (line === "---" || line === "...") return at + 1;
  }
  return 0;
}

interface Entry {
  readonly at: number;
  readonly key: string;
  readonly value: string;
  readonly items: string[];
}

/**
 * Parses the keys and their values. A value is on the line of its key, or is a list or text below that line.
 */
function parseEntries(lines: readonly string[], from: number, to: number): readonly Entry[] {
  const entries: Entry[] = [];
  for (let at = from; at < to; at++) {
    const line = lines[at] as string;
    const content = trimSpaces(line);
    if (content === "" || content.startsWith("#")) continue;
    const found = /^([A-Za-z][\w -]{0,60}):(?:[ \t](.*))?$/.exec(line);
    const last = entries.at(-1);
    if (found?.[1] !== undefined) {
      const value = parseScalar(trimSpaces(found[2] ?? ""));
      entries.push({
        at,
        key: found[1].toLowerCase(),
        value: /^[|>][+-]?$/.test(value) ? "" : value,
        items: parseFlowSequence(value),
      });
    } else if (last !== undefined && /^(?:\s|- )/.test(line))
      last.items.push(parseScalar(content.replace(/^- /, "")));
    else entries.push({ at, key: "", value: content, items: [] });
  }
  return entries;
}

/** Parses a flow sequence such as `[a, b]`. */
function parseFlowSequence(value: string): string[] {
  if (!value.startsWith("[") || !value.endsWith("]")) return [];
  return value
    .slice(1, -1)
    .split(",")
    .map((each) => parseScalar(trimSpaces(each)))
    .filter((each) => each !== "");
}

function parseScalar(value: string): string {
  const isQuoted = value.length > 1 && value[0] === value.at(-1) && (value[0] === '"' || value[0] === "'");
  return unescapeInline(isQuoted ? value.slice(1, -1) : value);
}
