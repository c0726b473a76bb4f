import type { Draft, DraftNote, FieldValue } from "./draft.ts";
import { unescapeInline } from "./escape-text.ts";
import { findField, noteFields, specFields } from "./fields.ts";
import { type Loss, toLoss } from "./import-report.ts";
import { trimSpaces } from "./lines.ts";
import { parseField } from "./parse-field.ts";

/** The front matter of a document. */
export interface FrontMatter extends Omit<Draft, "nodes"> {
  /** The first line after the front matter. */
  readonly end: number;
}

const maxLines = 200;

/** Parses the front matter, a subset of YAML between two lines of `---`. */
export function parseFrontMatter(lines: readonly string[], losses: Loss[]): FrontMatter {
  const end = endOf(lines);
  const fields: Record<string, FieldValue> = {};
  const notes: Record<string, readonly DraftNote[]> = {};
  let [specId, title]: (string | undefined)[] = [];
  const context = { lines, losses, isPlain: false };
  for (const { at, key, value, items } of parseEntries(lines.slice(0, end))) {
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
    else losses.push(toLoss(at + 1, lines[at] ?? "", "The front matter names nothing that a spec has"));
  }
  return { end, specId, title, fields, notes };
}

function endOf(lines: readonly string[]): number {
  if (lines[0] === undefined || trimSpaces(lines[0]) !== "---") return 0;
  for (let at = 1; at < Math.min(lines.length, maxLines); at++) {
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

/** Parses the keys, each with a value on its line, or a list or text below it. */
function parseEntries(lines: readonly string[]): readonly Entry[] {
  const entries: Entry[] = [];
  for (const [at, line] of lines.entries()) {
    const content = trimSpaces(line);
    if (at === 0 || at === lines.length - 1 || content === "" || content.startsWith("#")) continue;
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

/** Parses a flow sequence: `[a, b]`. */
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
