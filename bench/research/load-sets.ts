import { readDocument } from "#built/foundry/research/documents/read-document.js";
import { obtainDocument, Unavailable } from "../../test/research/sets/obtain-document.ts";
import { type QuestionSet, readQuestionSets } from "../../test/research/sets/question-sets.ts";
import type { Stretch } from "./ranker.ts";

/** A set of questions with its document. */
export interface LoadedSet extends QuestionSet {
  readonly bytes: Uint8Array;
  /** The canonical text. */
  readonly text: string;
  /** The parts of the canonical text that are paragraphs, headings or list items, in UTF-16 units. */
  readonly blocks: readonly Stretch[];
  /** Converts a range of UTF-16 units to code points. */
  toCodePoints(range: Stretch): Stretch;
}

/** Loads all sets whose documents are available, and prints a line for each of the others. */
export async function loadSets({ download }: { download: boolean }): Promise<readonly LoadedSet[]> {
  const sets: LoadedSet[] = [];
  for (const set of readQuestionSets()) {
    try {
      sets.push(await loadSet(set, await obtainDocument(set.document, { download })));
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      console.log(`${set.document.file}: skipped because ${error.message}`);
    }
  }
  return sets;
}

async function loadSet(set: QuestionSet, bytes: Uint8Array): Promise<LoadedSet> {
  const { text, blocks } = await readDocument({ bytes, name: set.document.file });
  const points = countCodePoints(text);
  return {
    ...set,
    bytes,
    text,
    blocks: blocks.map((start, at) => ({ start, end: blocks[at + 1] ?? text.length })),
    toCodePoints: ({ start, end }) => ({ start: points[start] ?? 0, end: points[end] ?? 0 }),
  };
}

/** Returns for each UTF-16 offset the number of code points before it. */
function countCodePoints(text: string): Uint32Array {
  const points = new Uint32Array(text.length + 1);
  for (let unit = 0; unit < text.length; unit++) {
    const isSecondHalf = /[\uDC00-\uDFFF]/.test(text[unit] ?? "");
    points[unit + 1] = (points[unit] ?? 0) + (isSecondHalf ? 0 : 1);
  }
  return points;
}
