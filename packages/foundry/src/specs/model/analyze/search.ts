import type { UnknownRecord } from "@foundry-mcp/contract";
import type { SpecModel, SpecNode } from "../spec-model.ts";

/** A text in which all words of the query occur. */
export interface SearchHit {
  readonly spec_id: string;
  /** The node; absent for a hit in the spec itself. */
  readonly task_id?: string;
  /** `title`, `description`, `acceptance_criteria`, `file_path`, `journal` … */
  readonly field: string;
  /** The title of the node, the journal entry or the spec. */
  readonly title: string;
  /** The text around the first word, on one line. */
  readonly snippet: string;
}

const snippetLength = 160;
const maxWords = 20;

/**
 * Searches specs for texts that contain every word of the query, without regard to case and accents. Each
 * spec is searched in the order: its own fields, its nodes in the order of work, its journal. Hits are
 * yielded one by one, so that a page costs no more than the search for it.
 */
export function* searchSpecs(specs: Iterable<SpecModel>, query: string): Generator<SearchHit> {
  const words = toWords(query);
  if (words.length === 0) return;
  for (const spec of specs) {
    for (const { taskId, field, title, text } of searchableTexts(spec)) {
      const folded = fold(text);
      if (!words.every((word) => folded.text.includes(word))) continue;
      yield {
        spec_id: spec.id,
        ...(taskId === undefined ? {} : { task_id: taskId }),
        ...{ field, title, snippet: toSnippet(text, folded.toOriginal(folded.text.indexOf(words[0] ?? ""))) },
      };
    }
  }
}

function toWords(query: string): readonly string[] {
  const words = fold(query.slice(0, 1000))
    .text.split(/\s+/)
    .filter((word) => word !== "");
  return [...new Set(words)].slice(0, maxWords);
}

/** Returns the text around an index, split between code points. */
function toSnippet(text: string, at: number): string {
  let from = Math.max(0, at - snippetLength / 4);
  let to = Math.min(text.length, from + snippetLength);
  if (isLowHalf(text, from)) from -= 1;
  if (isLowHalf(text, to)) to += 1;
  const middle = text
    .slice(from, to)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return `${from > 0 ? "…" : ""}${middle}${to < text.length ? "…" : ""}`;
}

function isLowHalf(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return index > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}

/** A searchable text of a spec. */
export interface SearchableText {
  readonly taskId?: string | undefined;
  readonly field: string;
  /** The title of the node, entry or spec that the text belongs to. */
  readonly title: string;
  readonly text: string;
}

const nodeFields = [
  ...["description", "purpose", "details", "acceptance_criteria", "file_path", "command", "expected"],
  ...["status_note", "blocker_description"],
];

/**
 * Yields the searchable texts of a spec: its own, those of its nodes in the order of work, those of its
 * journal.
 */
function* searchableTexts(spec: SpecModel): Generator<SearchableText> {
  const { title, metadata } = spec;
  yield { field: "title", title, text: title };
  for (const field of ["description", "mission", "objectives"])
    for (const text of flatten(metadata[field])) yield { field, title, text };
  // Nodes that are not below the root come last, so that a search finds what a list would not show.
  for (const id of new Set([...spec.order, ...spec.ids])) {
    const node = spec.node(id);
    if (node !== undefined && node.type !== "spec") yield* textsOfNode(node);
  }
  for (const entry of spec.journal) yield* textsOfEntry(entry);
}

function* textsOfNode({ id, title, metadata, raw }: SpecNode): Generator<SearchableText> {
  yield { taskId: id, field: "title", title, text: title };
  for (const text of flatten(raw["description"])) yield { taskId: id, field: "description", title, text };
  for (const field of nodeFields)
    for (const text of flatten(metadata[field])) yield { taskId: id, field, title, text };
}

function* textsOfEntry({ title, content, task_id: id }: UnknownRecord): Generator<SearchableText> {
  const name = typeof title === "string" ? title : "";
  const text = [name, content].filter((each) => typeof each === "string" && each !== "").join("\n");
  if (text !== "")
    yield { taskId: typeof id === "string" ? id : undefined, field: "journal", title: name, text };
}

/** Returns a text, or the texts of a list, each to be searched by itself. */
function flatten(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === "string" && each !== "") as readonly string[];
}

/** A text normalized for search. */
export interface FoldedText {
  readonly text: string;
  /** Returns the index in the original text of an index in the folded text. */
  toOriginal(index: number): number;
}

/** Folds case, compatibility forms and accents, so that `Ärger`, `ARGER` and `ärger` are equal. */
export function fold(original: string): FoldedText {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII
  const isPlain = /^[\u0000-\u007f]*$/.test(original);
  if (isPlain) return { text: original.toLowerCase(), toOriginal: (index) => index };
  return { text: foldPart(original), toOriginal: (index) => toOriginalIndex(original, index) };
}

function foldPart(text: string): string {
  // Upper case first, because it maps ß to SS. The Greek sigma has a separate form at the end of words.
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Maps an index back by folding one code point after the other, because folding changes lengths. */
function toOriginalIndex(original: string, index: number): number {
  let folded = 0;
  let at = 0;
  for (const point of original) {
    if (folded >= index) break;
    folded += foldPart(point).length;
    at += point.length;
  }
  return at;
}
