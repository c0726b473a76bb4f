import { gainOf, mostOf, toWeights } from "../digest/bm25.ts";
import { termsOf } from "../digest/terms.ts";
import { type SourceFailure, toSourceFailure } from "../runs/source-failure.ts";
import type { SearchHit, SearchProvider } from "./search-provider.ts";
import { countOf, countTerms, type TermCounts } from "./term-frequencies.ts";

/** What an index is made of. */
export interface FolderIndexOptions {
  /** The paths of all documents. */
  readonly list: () => Promise<readonly string[]>;
  /** The canonical text of a document; throws where it cannot be read. */
  readonly read: (path: string) => Promise<string>;
  /** Another text whenever the document is another one, such as its time and size. */
  readonly stamp: (path: string) => Promise<string>;
}

/** A document that could not be read. */
export interface IndexProblem extends SourceFailure {
  readonly path: string;
}

/** A search over the documents of a folder. */
export interface FolderIndex extends SearchProvider {
  /** What the last search could not look into, in the order of paths. */
  readonly problems: readonly IndexProblem[];
}

/** How much long documents are held back. */
const lengthWeight = 0.75;

interface Entry {
  readonly stamp: string;
  readonly content: TermCounts | SourceFailure;
}

/**
 * Creates an index over whole documents: BM25, in any script. It is kept in memory, made at the first search, and
 * brought up to date before every other one by reading what has changed.
 */
export function createFolderIndex({ list, read, stamp }: FolderIndexOptions): FolderIndex {
  const entries = new Map<string, Entry>();
  let problems: readonly IndexProblem[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  async function refresh(signal: AbortSignal): Promise<readonly string[]> {
    const paths = [...new Set(await list())].sort(byCodeUnits);
    const listed = new Set(paths);
    for (const path of entries.keys()) if (!listed.has(path)) entries.delete(path);
    for (const path of paths) {
      signal.throwIfAborted();
      entries.set(path, await bringUpToDate(path));
    }
    problems = paths.flatMap((path) => {
      const content = entries.get(path)?.content;
      return content !== undefined && "reason" in content ? [{ path, ...content }] : [];
    });
    return paths;
  }

  async function bringUpToDate(path: string): Promise<Entry> {
    const known = entries.get(path);
    try {
      const now = await stamp(path);
      if (known?.stamp === now) return known;
      return { stamp: now, content: await readContent(path) };
    } catch (err) {
      // What could not be read may be there again: it has no stamp that anything equals.
      return { stamp: "", content: toSourceFailure(err, path) };
    }
  }

  /** A document that is no text does not become one while its stamp stays. */
  async function readContent(path: string): Promise<TermCounts | SourceFailure> {
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
      // One after the other: two at once would read everything twice.
      const own = turn.catch(() => {}).then(() => refresh(signal));
      turn = own;
      const paths = await own;
      const documents = paths.flatMap((path) => {
        const content = entries.get(path)?.content;
        return content === undefined || "reason" in content ? [] : [{ path, content }];
      });
      return rank(documents, query).slice(0, limit);
    },
  };
}

interface IndexedDocument {
  readonly path: string;
  readonly content: TermCounts;
}

function rank(documents: readonly IndexedDocument[], query: string): readonly SearchHit[] {
  const terms = [...termsOf(query)];
  const usual = documents.reduce((sum, { content }) => sum + content.total, 0) / documents.length || 1;
  const weights = toWeights({
    sentences: documents.length,
    counts: terms.map((term) => documents.filter(({ content }) => countOf(content, term) > 0).length),
  });
  const most = mostOf(weights);
  return documents
    .map(({ path, content }): SearchHit => {
      const held = 1 - lengthWeight + (lengthWeight * content.total) / usual;
      const gains = terms.map((term, at) => gainOf(weights[at] ?? 0, countOf(content, term), held));
      return { source: { path }, score: gains.reduce((sum, gain) => sum + gain, 0) / most };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || byCodeUnits(a.source.path ?? "", b.source.path ?? ""));
}

/** The same everywhere, whatever the language of the machine. */
function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
