import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A document of a Debian package, which nobody here wrote. */
export interface SetDocument {
  /** The name of the document in the cache. Its extension decides how it is read. */
  readonly file: string;
  readonly package: string;
  readonly version: string;
  /** The path in the package. A file that ends in `.gz` is decompressed. */
  readonly path: string;
  /** The SHA-256 of the document, decompressed. */
  readonly sha256: string;
  readonly licence: string;
}

/** A question that the document answers. */
export interface Answerable {
  readonly id: string;
  readonly question: string;
  /** Exact parts of the canonical text. Each of them answers the question by itself. */
  readonly answers: readonly string[];
}

/** A question that the document does not answer. */
export interface Unanswerable {
  readonly id: string;
  readonly question: string;
  /** The rare word of the document that the question shares, if it shares one. */
  readonly shares?: string;
}

/** The questions about one document. */
export interface QuestionSet {
  readonly document: SetDocument;
  readonly answerable: readonly Answerable[];
  readonly unanswerable: readonly Unanswerable[];
}

/** `tune` is for work on the ranking. `held` is looked at once, at the end. */
export const halves = ["tune", "held"] as const;
export type Half = (typeof halves)[number];

// The path is from the root of the repository, because the compiled module lies in another folder than its source.
export const setsFolder = join("test", "research", "sets");

/** Reads the questions about all documents, sorted by the file of the document. */
export function readQuestionSets(): readonly QuestionSet[] {
  const folder = join(setsFolder, "questions");
  return readdirSync(folder)
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
}

/** Returns one half of the questions about a document. The questions alternate between the halves. */
export function inHalf<Question>(questions: readonly Question[], half: Half): readonly Question[] {
  return questions.filter((_, at) => at % 2 === halves.indexOf(half));
}
