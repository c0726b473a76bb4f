import { maxScore, scoreTerm, toIdf, toLengthNorm } from "../digest/bm25.ts";
import { toTermSet } from "../digest/terms.ts";
import { type SourceFailure, toSourceFailure } from "../runs/source-failure.ts";
import type { SearchHit, SearchProvider } from "./search-provider.ts";
import { countTerms, frequencyOf, type TermFrequencies } from "./term-frequencies.ts";

/** How an index finds its documents. */
export interface FolderIndexOptions {
  /** Returns the paths of all documents. */
  readonly list: () => Promise<readonly string[]>;
  /** Returns the canonical text of a document; throws where it cannot be read. */
  readonly read: (path: string) => Promise<string>;
  /** Returns a string that changes with the document, such as its modification time and size. */
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

/** Length normalization (b of BM25) of documents. */
const b = 0.75;

interface Entry {
  readonly stamp: string;
  readonly content: TermFrequencies | SourceFailure;
}

/**
 * Creates an in-memory BM25 index over whole documents, in any script. The first search builds it; every further
 * search first reads the documents that changed.
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
      // The document may come back: an empty stamp equals no other, so the next search tries again.
      return { stamp: "", content: toSourceFailure(err, path) };
    }
  }

  /** A document that is unreadable stays so while its stamp is the same, so its failure is cached. */
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
      // Concurrent refreshes would read every document twice.
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

/** Ranks documents that are in the order of paths; the sort is stable, so equal scores stay in that order. */
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
