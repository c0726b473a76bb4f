import { CodePoints } from "../digest/code-point-offsets.ts";
import { cleanText } from "./clean-text.ts";

/** Sentences of a text that say where they come from. */
export interface CitedSentences {
  readonly text: string;
  /** How many were left out: those without a citation, and those for which there was no room. */
  readonly dropped: number;
}

/** Where a sentence ends, with what closes it. */
const stop = /[.!?…؟۔।][.!?…"')\]}”’»]*(?=\s|$)|[。！？｡][」』）】》”’]*/gu;
/** Words that a dot shortens, and initials: no sentence ends with them. */
const shortened = /(?:^|[\s("'«“])(?:\p{L}|dr|mr|mrs|ms|prof|st|vs|fig|e\.g|i\.e|al|cf|ca|approx)$/iu;
/** Citations behind the mark that ends their sentence; one that begins the next sentence is followed by its words. */
const lateCitations = /([.!?…؟۔।。！？｡]["')”’»]*)\s*((?:\[\d+\]\s*)+)(?!\s*(?:\[|\p{Ll}))/gu;
const citation = /\s*\[(\d+)\]/g;

/** Keeps the sentences of a text that cite one of so many claims as `[n]`; citations of no claim go. */
export function keepCited(text: string, claims: number, most: number): CitedSentences {
  const isClaim = (digits: string) => Number(digits) >= 1 && Number(digits) <= claims;
  const kept: string[] = [];
  let room = most + 1;
  let dropped = 0;
  for (const sentence of divide(withEarlyCitations(cleanText(text)))) {
    let isCited = false;
    const cited = sentence.replace(citation, (given, digits: string) => {
      if (!isClaim(digits)) return "";
      isCited = true;
      return given.replace(digits, String(Number(digits)));
    });
    const size = new CodePoints(cited).total + 1;
    const isSaid = /[\p{L}\p{N}]/u.test(cited.replace(citation, ""));
    if (isCited && isSaid && size <= room) {
      kept.push(cited.trim());
      room -= size;
    } else dropped++;
  }
  return { text: kept.join(" "), dropped };
}

/** Each citation for itself, and before the mark that ends its sentence. */
function withEarlyCitations(text: string): string {
  return text
    .replace(/\[\d+(?:\s?[,;]\s?\d+)+\]/g, (list) => list.replace(/\s?[,;]\s?/g, "]["))
    .replace(lateCitations, (_, mark: string, late: string) => ` ${late.trim()}${mark} `);
}

/** The sentences of one line of text. */
function divide(text: string): readonly string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { index, 0: end } of text.matchAll(stop)) {
    const next = index + end.length;
    const isShortened = end === "." && shortened.test(text.slice(Math.max(from, index - 12), index));
    if (isShortened || (end === "." && /^\s\p{Ll}/u.test(text.slice(next, next + 3)))) continue;
    sentences.push(text.slice(from, next));
    from = next;
  }
  return [...sentences, text.slice(from)].map((each) => each.trim()).filter((each) => each !== "");
}
