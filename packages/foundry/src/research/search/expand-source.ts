import type { DocumentListing, LeftOut } from "../documents/list-documents.ts";
import type { ResearchSource } from "../runs/research-request.ts";
import type { ExpandedSource } from "../runs/run-deps.ts";
import { sourceName } from "../runs/source-name.ts";
import type { FolderIndex } from "./folder-index.ts";
import type { SearchProvider } from "./search-provider.ts";

/** How sources are expanded. */
export interface ExpandOptions {
  /** Lists the documents of a folder; returns undefined where the path is no folder. */
  list(path: string): Promise<DocumentListing | undefined>;
  /** Returns the search provider with this name, for this folder if it searches folders; undefined for an unknown name. */
  provider(name: string, folder: string | undefined): SearchProvider | FolderIndex | undefined;
  /** The names of all providers. */
  readonly providers: readonly string[];
}

/** The maximum number of hits of a search without a limit. */
const defaultLimit = 20;

/** Returns the documents of a source: the document itself, those of a folder, or the hits of a search. */
export async function expandSource(
  source: ResearchSource,
  question: string,
  options: ExpandOptions,
  signal: AbortSignal,
): Promise<ExpandedSource> {
  const { search, path, limit, ...document } = source;
  if (search !== undefined) return runSearch(search, source, question, options, signal);
  const listing = path === undefined ? undefined : await options.list(path);
  if (listing === undefined) return { documents: [{ source: { path, ...document } }], problems: [] };
  const kept = listing.documents.slice(0, limit);
  const over = listing.documents.slice(kept.length);
  return {
    documents: kept.map((each) => ({ source: { path: each } })),
    problems: [
      ...listing.problems,
      ...listing.others.map(notADocument),
      ...over.map((name) => ({ name, reason: "over_limit", error: `It is beyond the limit of ${limit}` })),
    ],
  };
}

async function runSearch(
  name: string,
  source: ResearchSource,
  question: string,
  { list, provider, providers }: ExpandOptions,
  signal: AbortSignal,
): Promise<ExpandedSource> {
  const { path, limit = defaultLimit } = source;
  const found = provider(name, path);
  if (found === undefined) return { documents: [], problems: [unknownProvider(name, providers)] };
  const isFolderIndex = "problems" in found;
  const listing = isFolderIndex ? await list(path ?? ".") : undefined;
  if (isFolderIndex && listing === undefined)
    return { documents: [], problems: [noFolder(sourceName(source))] };
  const hits = await found.search(question, { limit, signal });
  // Unreadable documents are reported, for the best one may be among them.
  const unread = isFolderIndex ? found.problems : [];
  return {
    documents: hits.map(({ source: document, title }) => ({ source: document, title })),
    problems: [
      ...(listing?.problems ?? []),
      ...unread.map(({ path: name, ...failure }) => ({ name, ...failure })),
    ],
  };
}

function notADocument(name: string): LeftOut {
  return {
    name,
    reason: "not_a_document",
    error: "It is no text, Markdown, HTML or PDF by its name, or it is hidden, or no file",
  };
}

function noFolder(name: string): LeftOut {
  return {
    name,
    reason: "no_folder",
    error: "There is no such folder to look into",
    remediation: "Name a folder of the workspace in path, or leave path out to search the whole of it.",
  };
}

function unknownProvider(name: string, providers: readonly string[]): LeftOut {
  return {
    name,
    reason: "unknown_provider",
    error: `There is no search provider ${JSON.stringify(name)}`,
    remediation: `Use one of ${providers.join(", ")}; web needs the setting search_url.`,
  };
}
