import { maxScore, scoreTerm, toIdf, toLengthNorm } from "../../ranking/bm25.ts";
import { toTermSet } from "../digest/terms.ts";
import { type SourceFailure, toSourceFailure } from "../runs/source-failure.ts";
import type { SearchHit, SearchProvider } from "./search-provider.ts";
import { countTerms, frequencyOf, type TermFrequencies } from "./term-frequencies.ts";

/** The functions with which an index finds and reads its documents. */
export interface FolderIndexOptions {
  /** Returns the paths of all documents. */
  readonly list: () => Promise<readonly string[]>;
  /** Returns the canonical text of a document. Throws if the document cannot be read. */
  readonly read: (path: string) => Promise<string>;
  /** Returns a string that changes with the document, such as the modification time and size of the document. */
  readonly stamp: (path: string) => Promise<string>;
}

/** A document that could not be indexed. */
export interface IndexProblem extends SourceFailure {
  readonly path: string;
}

/** A search provider over the documents of a folder. */
export interface FolderIndex extends SearchProvider {
  /** The documents that the last search could not read, in the order of paths. */
  readonly problems: readonly IndexProblem[];
}

/** The strength of the length normalization for documents (b of BM25). */
const b = 0.75;

interface Entry {
  readonly stamp: string;
  readonly content: TermFrequencies | SourceFailure;
}

/**
 * Creates an in-memory BM25 index over whole documents, in any script. The first search builds the index. Later
 * searches first read the documents that have changed.
 */
export function createFolderIndex({ list, read, stamp }: FolderIndexOptions): FolderIndex {
  const entries = new Map<string, Entry>();
  let problems: readonly IndexProblem[] = [];
  let lastRefresh: Promise<unknown> = Promise.resolve();

  async function refresh(signal: AbortSignal): Promise<readonly IndexedDocument[]> {
    const listed = new Set((await list()).toSorted());
    for (const path of entries.keys()) if (!listed.has(path)) entries.delete(path);
    const documents: IndexedDocument[] = [];
    const unread: IndexProblem[] = [];
    for (const path of listed) {
      signal.throwIfAborted();
      const entry = await refreshEntry(path);
      entries.set(path, entry);
      if ("reason" in entry.content) unread.push({ path, ...entry.content });
      else documents.push({ path, content: entry.content });
    }
    problems = unread;
    return documents;
  }

  async function refreshEntry(path: string): Promise<Entry> {
    const known = entries.get(path);
    try {
      const current = await stamp(path);
      if (known?.stamp === current) return known;
      return { stamp: current, content: await readContent(path) };
    } catch (err) {
      // The document may become readable again. An empty stamp never equals another stamp, so the next search
      // retries.
      return { stamp: "", content: toSourceFailure(err, path) };
    }
  }

  /**
   * Reads a document. A failure is cached, because an unreadable document stays unreadable while its stamp is the
   * same.
   */
  async function readContent(path: string): Promise<TermFrequencies | SourceFailure> {
    try {
      return countTerms(await read(path));
    } catch (err) {
      return toSourceFailure(err, path);
    }
  }

  return {
    name: "folder",
    get problems() {
      return problems;
    },
    async search(query, { limit, signal }) {
      // Refreshes run one after the other, because concurrent refreshes would read every document twice.
      const own = lastRefresh.catch(() => {}).then(() => refresh(signal));
      lastRefresh = own;
      return rank(await own, query).slice(0, limit);
    },
  };
}

interface IndexedDocument {
  readonly path: string;
  readonly content: TermFrequencies;
}

/**
 * Ranks documents, which are passed in the order of paths. The sort is stable, so documents with equal scores keep
 * that order.
 */
function rank(documents: readonly IndexedDocument[], query: string): readonly SearchHit[] {
  const terms = [...toTermSet(query)];
  const averageLength =
    documents.reduce((sum, { content }) => sum + content.total, 0) / documents.length || 1;
  const idfs = terms.map((term) =>
    toIdf(documents.filter(({ content }) => frequencyOf(content, term) > 0).length, documents.length),
  );
  const max = maxScore(idfs);
  return documents
    .map(({ path, content }): SearchHit => {
      const lengthNorm = toLengthNorm(b, content.total / averageLength);
      const scores = terms.map((term, at) =>
        scoreTerm(idfs[at] ?? 0, frequencyOf(content, term), lengthNorm),
      );
      return { source: { path }, score: scores.reduce((sum, score) => sum + score, 0) / max };
    })
    .filter(({ score }) => score > 0)
    .sort((x, y) => y.score - x.score);
}
