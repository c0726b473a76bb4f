import type { SpecModel } from "../spec-model.ts";
import { fold } from "./fold.ts";
import { textsOf } from "./searched-texts.ts";

/** A place where all words that were looked for occur. */
export interface SearchHit {
  readonly spec_id: string;
  /** The node; absent where the hit is about the spec as a whole. */
  readonly task_id?: string;
  /** `title`, `description`, `acceptance_criteria`, `file_path`, `journal` … */
  readonly field: string;
  /** The title of the node, of the journal entry, or of the spec. */
  readonly title: string;
  /** The text around the first word, on one line. */
  readonly snippet: string;
}

const snippetLength = 160;
const maxWords = 20;

/**
 * Searches specs for texts in which every word of the query occurs: in the order of the specs given, in each
 * first the spec, then its nodes in the order of work, then its journal. Case and accents make no difference.
 * Hits come one by one, so that a page costs no more than the search for it; the same specs give the same hits.
 */
export function* searchSpecs(specs: Iterable<SpecModel>, query: string): Generator<SearchHit> {
  const words = toWords(query);
  if (words.length === 0) return;
  for (const spec of specs) {
    for (const { taskId, field, title, text } of textsOf(spec)) {
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

/** The text around a place, cut between code points. */
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
