import type { DocumentListing } from "../documents/list-documents.ts";
import type { ResearchSource } from "../runs/research-request.ts";
import type { ExpandedSource, LeftOut } from "../runs/run-deps.ts";
import { nameOf } from "../runs/source-name.ts";
import type { FolderIndex } from "./folder-index.ts";
import type { SearchProvider } from "./search-provider.ts";

/** How sources are looked into. */
export interface ExpandOptions {
  /** The documents of a folder; undefined where the path is none. */
  list(path: string): Promise<DocumentListing | undefined>;
  /** The search provider of that name, over a folder where it is one for folders; undefined where there is none. */
  provider(name: string, folder: string | undefined): SearchProvider | FolderIndex | undefined;
  /** The names of all of them. */
  readonly providers: readonly string[];
}

/** So many documents of a search are read where nobody says how many. */
const usualLimit = 20;

/** The documents that a source stands for: itself, those of a folder, or what a search finds. */
export async function expandSource(
  source: ResearchSource,
  question: string,
  options: ExpandOptions,
  signal: AbortSignal,
): Promise<ExpandedSource> {
  const { search, path, limit, ...place } = source;
  if (search !== undefined) return askProvider(search, source, question, options, signal);
  const listing = path === undefined ? undefined : await options.list(path);
  if (listing === undefined) return { documents: [{ source: { path, ...place } }], problems: [] };
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

async function askProvider(
  name: string,
  source: ResearchSource,
  question: string,
  { list, provider, providers }: ExpandOptions,
  signal: AbortSignal,
): Promise<ExpandedSource> {
  const { path, limit = usualLimit } = source;
  const found = provider(name, path);
  if (found === undefined) return { documents: [], problems: [unknownProvider(name, providers)] };
  const isOfFolder = "problems" in found;
  const listing = isOfFolder ? await list(path ?? ".") : undefined;
  if (isOfFolder && listing === undefined) return { documents: [], problems: [noFolder(nameOf(source))] };
  const hits = await found.search(question, { limit, signal });
  // What could not be looked into may hold the best.
  const unread = isOfFolder ? found.problems : [];
  return {
    documents: hits.map(({ source: document, title }) => ({ source: document, title })),
    problems: [
      ...(listing?.problems ?? []),
      ...unread.map(({ path: of, ...failure }) => ({ name: of, ...failure })),
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
