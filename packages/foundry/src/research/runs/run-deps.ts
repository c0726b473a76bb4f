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

/** The documents of a source, in order, and the parts of the source that are not documents. */
export interface ExpandedSource {
  readonly documents: readonly ExpandedDocument[];
  readonly problems: readonly LeftOut[];
}

/** Reads the sources of a run. */
export interface SourceReader {
  /** Expands a source to documents. The source is a single document, a folder, or a search. */
  expand(source: ResearchSource, question: string, signal: AbortSignal): Promise<ExpandedSource>;
  readonly load: DocumentLoader;
}

/** The dependencies of research runs. */
export interface RunDeps extends RunsFolder, SourceReader {
  /**
   * Reads the sources of resumed runs. These sources come from a stored file and not from the caller.
   * @default the reader of new runs
   */
  readonly resumed?: SourceReader | undefined;
  readonly digest: DigestPool["digest"];
  /** Stores the canonical text in the archive under its hash. Returns false if that failed. */
  archive(document: DigestedDocument, caller: ResearchCaller): Promise<boolean>;
  /**
   * Lets a model write the summary from the claims. Throws if that fails. Without this function, summaries are
   * extracted.
   * @default none
   */
  readonly summarize?:
    | ((question: string, claims: readonly string[], signal: AbortSignal) => Promise<{ summary: string }>)
    | undefined;
  /** The maximum number of sources that are read concurrently. @default 4 */
  readonly concurrency?: number | undefined;
  /**
   * The file system of the runs.
   * @default the file system of the folder
   */
  readonly fileSystem?: FileSystem | undefined;
}
