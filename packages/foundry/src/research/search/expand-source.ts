import { join, relative, sep } from "node:path";
import type { DocumentListing, LeftOut } from "../documents/list-documents.ts";
import { findUnwanted } from "../documents/unwanted-documents.ts";
import type { ResearchSource } from "../runs/research-request.ts";
import type { ExpandedSource } from "../runs/run-deps.ts";
import { sourceName } from "../runs/source-name.ts";
import type { FolderIndex } from "./folder-index.ts";
import type { SearchProvider } from "./search-provider.ts";

/** The dependencies for expanding sources. */
export interface ExpandOptions {
  /** Lists the documents of a folder. Returns undefined if the path is not a folder. */
  list(path: string): Promise<DocumentListing | undefined>;
  /**
   * Returns the search provider with this name, or undefined if the name is unknown. If the provider searches
   * folders, it searches this folder.
   */
  provider(name: string, folder: string | undefined): SearchProvider | FolderIndex | undefined;
  /** The names of all providers. */
  readonly providers: readonly string[];
}

/** The maximum number of hits for a search without a limit. */
const defaultLimit = 20;

/** Returns the documents of a source, which is a single document, a folder, or a search. */
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
  const unwanted = listing.documents.flatMap((each) => findUnwanted(relativeTo(path, each), question) ?? []);
  const isUnwanted = new Set(unwanted.map(({ name }) => name));
  const wanted = listing.documents.filter((each) => !isUnwanted.has(relativeTo(path, each)));
  const kept = wanted.slice(0, limit);
  const over = wanted.slice(kept.length);
  return {
    documents: kept.map((each) => ({ source: { path: each } })),
    problems: [
      ...listing.problems,
      ...unwanted.map((each) => ({ ...each, name: join(path ?? "", each.name) })),
      ...listing.others.map(notADocument),
      ...over.map((name) => ({ name, reason: "over_limit", error: `It is beyond the limit of ${limit}` })),
    ],
  };
}

/**
 * Returns the path of a document relative to its folder, so that the folder's own name does not affect whether the
 * document is left out.
 */
function relativeTo(folder: string | undefined, path: string): string {
  return relative(folder ?? ".", path)
    .split(sep)
    .join("/");
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
  // Unreadable documents are reported, because the best hit may be among them.
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
    error:
      "It is not a file, or it is hidden, or its name does not end like that of a text, Markdown, HTML or PDF file",
  };
}

function noFolder(name: string): LeftOut {
  return {
    name,
    reason: "no_folder",
    error: "There is no such folder",
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
