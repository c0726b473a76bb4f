import { CodePointOffsets } from "../digest/code-point-offsets.ts";
import { toPlainLine } from "./plain-text.ts";

/** The sentences of a text that cite a claim. */
export interface CitedSentences {
  readonly text: string;
  /** The number of sentences that were dropped because they have no citation or exceed the maximum length. */
  readonly dropped: number;
}

/** A sentence terminator with closing quotes and brackets. */
const terminator = /[.!?…؟۔।][.!?…"')\]}”’»]*(?=\s|$)|[。！？｡][」』）】》”’]*/gu;
/** Abbreviations and initials. The dot after them does not end a sentence. */
const abbreviation = /(?:^|[\s("'«“])(?:\p{L}|dr|mr|mrs|ms|prof|st|vs|fig|e\.g|i\.e|al|cf|ca|approx)$/iu;
/**
 * Matches citations after the terminator of their sentence. A citation at the start of a sentence is followed by a
 * word, and does not match.
 */
const trailingCitations = /([.!?…؟۔।。！？｡]["')”’»]*)\s*((?:\[\d+\]\s*)+)(?!\s*(?:\[|\p{Ll}))/gu;
const citation = /\s*\[(\d+)\]/g;

/** Keeps the sentences that cite one of the claims as `[n]`, and removes citations of claims that do not exist. */
export function keepCitedSentences(text: string, claims: number, maxPoints: number): CitedSentences {
  const isClaim = (digits: string) => Number(digits) >= 1 && Number(digits) <= claims;
  const kept: string[] = [];
  let room = maxPoints + 1;
  let dropped = 0;
  for (const sentence of splitSentences(moveCitations(toPlainLine(text)))) {
    let isCited = false;
    const cited = sentence.replace(citation, (given, digits: string) => {
      if (!isClaim(digits)) return "";
      isCited = true;
      return given.replace(digits, String(Number(digits)));
    });
    const size = new CodePointOffsets(cited).total + 1;
    const hasWords = /[\p{L}\p{N}]/u.test(cited.replace(citation, ""));
    if (isCited && hasWords && size <= room) {
      kept.push(cited.trim());
      room -= size;
    } else dropped++;
  }
  return { text: kept.join(" "), dropped };
}

/** Splits `[1, 2]` into `[1][2]`, and moves citations before the terminator of their sentence. */
function moveCitations(text: string): string {
  return text
    .replace(/\[\d+(?:\s?[,;]\s?\d+)+\]/g, (list) => list.replace(/\s?[,;]\s?/g, "]["))
    .replace(trailingCitations, (_, mark: string, citations: string) => ` ${citations.trim()}${mark} `);
}

function splitSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { index, 0: end } of text.matchAll(terminator)) {
    const next = index + end.length;
    const isAbbreviation = end === "." && abbreviation.test(text.slice(Math.max(from, index - 12), index));
    if (isAbbreviation || (end === "." && /^\s\p{Ll}/u.test(text.slice(next, next + 3)))) continue;
    sentences.push(text.slice(from, next));
    from = next;
  }
  return [...sentences, text.slice(from)].map((each) => each.trim()).filter((each) => each !== "");
}
