import type { UnknownRecord } from "@foundry-mcp/contract";
import type { SpecModel, SpecNode } from "../spec-model.ts";

/** A text that contains all words of the query. */
export interface SearchHit {
  readonly spec_id: string;
  /** The id of the node that contains the text; absent if the text belongs to the spec itself. */
  readonly task_id?: string;
  /**
   * The field that contains the text, such as `title`, `description`, `acceptance_criteria`, `file_path` or
   * `journal`.
   */
  readonly field: string;
  /** The title of the node, journal entry or spec that contains the text. */
  readonly title: string;
  /** The part of the text around the first word of the query, on one line. */
  readonly snippet: string;
}

const snippetLength = 160;
const maxWords = 20;

/**
 * Searches specs for texts that contain every word of the query, and ignores case and accents. In each spec,
 * the fields of the spec come first, then its nodes in the order of work, then its journal. The hits are
 * yielded one by one, so that the search can stop at the end of a page.
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

/** Returns the part of a text around an index. The text is cut only between code points. */
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
  /** The title of the node, journal entry or spec that contains the text. */
  readonly title: string;
  readonly text: string;
}

const nodeFields = [
  ...["description", "purpose", "details", "acceptance_criteria", "file_path", "command", "expected"],
  ...["status_note", "blocker_description"],
];

/**
 * Yields the searchable texts of a spec. The texts of the spec itself come first, then the texts of its nodes
 * in the order of work, then the texts of its journal.
 */
function* searchableTexts(spec: SpecModel): Generator<SearchableText> {
  const { title, metadata } = spec;
  yield { field: "title", title, text: title };
  for (const field of ["description", "mission", "objectives"])
    for (const text of flatten(metadata[field])) yield { field, title, text };
  // Nodes that are not below the root come last. A list does not show these nodes, but a search finds them.
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

/**
 * Returns the text, or all texts of a list, as a list of texts. Empty texts and other values are left out.
 */
function flatten(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === "string" && each !== "") as readonly string[];
}

/** A text normalized for search. */
export interface FoldedText {
  readonly text: string;
  /** Converts an index in the folded text to an index in the original text. */
  toOriginal(index: number): number;
}

/** Folds case, compatibility forms and accents, so that `Ärger`, `ARGER` and `ärger` are equal. */
export function fold(original: string): FoldedText {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches all ASCII characters
  const isPlain = /^[\u0000-\u007f]*$/.test(original);
  if (isPlain) return { text: original.toLowerCase(), toOriginal: (index) => index };
  return { text: foldPart(original), toOriginal: (index) => toOriginalIndex(original, index) };
}

function foldPart(text: string): string {
  // The conversion to upper case maps ß to SS. The letter ς is replaced, because the Greek sigma has a
  // separate form at the end of words.
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/**
 * Converts an index in the folded text to an index in the original text. Code points are folded one by one,
 * because folding changes the length of a text.
 */
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
