import type { FileSystem } from "@foundry-mcp/toolkit/files";
import type { DigestedDocument } from "../documents/digest-document.ts";
import type { DigestPool } from "../documents/digest-pool.ts";
import type { LeftOut } from "../documents/list-documents.ts";
import type { DocumentLoader, DocumentSource } from "../documents/load-document.ts";
import type { ResearchSource } from "./research-request.ts";
import type { RunsFolder } from "./run-folder.ts";

/** The caller of an operation on runs. */
export interface ResearchCaller {
  readonly principal: string;
  readonly requestId: string;
}

/** One document of an expanded source. */
export interface ExpandedDocument {
  readonly source: DocumentSource;
  /** The title in the search results. */
  readonly title?: string | undefined;
}

/** The documents of a source, in order, and the parts of it that are no documents. */
export interface ExpandedSource {
  readonly documents: readonly ExpandedDocument[];
  readonly problems: readonly LeftOut[];
}

/** Reads the sources of a run. */
export interface SourceReader {
  /** Expands a source to documents: itself, those of a folder, or the hits of a search. */
  expand(source: ResearchSource, question: string, signal: AbortSignal): Promise<ExpandedSource>;
  readonly load: DocumentLoader;
}

/** What research runs depend on. */
export interface RunDeps extends RunsFolder, SourceReader {
  /** Reads the sources of resumed runs, which a file names and not the caller. @default as those of new runs */
  readonly resumed?: SourceReader | undefined;
  readonly digest: DigestPool["digest"];
  /** Stores the canonical text in the archive under its hash; returns false where that failed. */
  archive(document: DigestedDocument, caller: ResearchCaller): Promise<boolean>;
  /** Has a model write the summary from the claims; throws where it fails. @default none: summaries are extracted */
  readonly summarize?:
    | ((question: string, claims: readonly string[], signal: AbortSignal) => Promise<{ summary: string }>)
    | undefined;
  /** How many sources are read at once. @default 4 */
  readonly concurrency?: number | undefined;
  /** The file system of the runs. @default that of the folder */
  readonly fileSystem?: FileSystem | undefined;
}
