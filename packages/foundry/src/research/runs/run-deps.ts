import type { FileSystem } from "../../files/durable/file-system.ts";
import type { DigestOptions } from "../digest/digest-text.ts";
import type { DigestedDocument } from "../documents/digest-document.ts";
import type { DocumentSource } from "../documents/document-source.ts";
import type { RawDocument } from "../documents/read-document.ts";
import type { ResearchSource } from "./research-request.ts";

/** Who asks. */
export interface ResearchCaller {
  readonly principal: string;
  readonly requestId: string;
}

/** A document that a source stands for. */
export interface ExpandedDocument {
  readonly source: DocumentSource;
  /** What it is called where it was found. */
  readonly title?: string | undefined;
}

/** What of a source is not read, and why. */
export interface LeftOut {
  /** A path, a URL, or what was searched for. */
  readonly name: string;
  /** One word for programs, such as `not_a_document`. */
  readonly reason: string;
  readonly error: string;
  readonly remediation?: string | undefined;
}

/** The documents that a source stands for, in their order, and what is none. */
export interface ExpandedSource {
  readonly documents: readonly ExpandedDocument[];
  readonly problems: readonly LeftOut[];
}

/** What research needs of the world. */
export interface RunDeps {
  /** The folder of all runs, such as .foundry/research. */
  readonly folder: string;
  /** Documents that a source stands for: itself, those of a folder, what a search finds; problems are told, never thrown away. */
  expand(source: ResearchSource, question: string, signal: AbortSignal): Promise<ExpandedSource>;
  load(source: DocumentSource, principal: string, signal: AbortSignal): Promise<RawDocument>;
  digest(document: RawDocument, options: DigestOptions, signal: AbortSignal): Promise<DigestedDocument>;
  /** Puts the canonical text into the archive under its hash; false where it could not be kept. */
  archive(document: DigestedDocument, caller: ResearchCaller): Promise<boolean>;
  /** Has a model write the summary from the claims; undefined where none is configured. Throws where it fails. */
  readonly summarize?:
    | ((question: string, claims: readonly string[], signal: AbortSignal) => Promise<{ summary: string }>)
    | undefined;
  /** So many sources at once. @default 4 */
  readonly concurrency?: number | undefined;
  /** Where the state of runs is written. @default the file system of the machine */
  readonly fileSystem?: FileSystem | undefined;
}
