import { isContractError, validationError } from "@foundry-mcp/contract";
import type { ContentArchive, ContentKey } from "@foundry-mcp/toolkit/archive";
import { type FetchOptions, fetchDocument } from "./fetch-document.ts";
import type { RawDocument } from "./read-document.ts";
import { type FileAccess, readLocalFile } from "./read-local-file.ts";
import { maxDocumentBytes, tooLarge, UnusableDocument } from "./unusable-document.ts";

/** The files, limits and archive of a loader. */
export interface LoaderOptions extends FileAccess, Omit<FetchOptions, "signal"> {
  /** The archive from which documents are read by their `content_id`. @default none */
  readonly archive?: ContentArchive | undefined;
}

/** Loads a document for a principal. Throws an UnusableDocument if that fails. */
export type DocumentLoader = (
  source: DocumentSource,
  principal: string,
  signal: AbortSignal,
) => Promise<RawDocument>;

const locations = ["path", "url", "text", "content_id"] as const;

/** Creates a loader of files, web pages, literal texts and archived content. */
export function createDocumentLoader(options: LoaderOptions): DocumentLoader {
  const { maxBytes = maxDocumentBytes, archive } = options;
  return async (source, principal, signal) => {
    signal.throwIfAborted();
    requireOneLocation(source);
    const { path, url, text, content_id: id, content_type: contentType } = source;
    // The caller's media type overrides the server's.
    const override = contentType === undefined ? {} : { contentType };
    if (path !== undefined) return { ...(await readLocalFile(path, { ...options, signal })), ...override };
    if (url !== undefined) return { ...(await fetchDocument(url, { ...options, signal })), ...override };
    if (text !== undefined)
      return { bytes: toBytes(text, maxBytes), name: "text", charset: "utf-8", ...override };
    const bytes = await readArchived(archive, principal, id ?? "", maxBytes);
    return { bytes, name: id ?? "", contentType: "text/plain", charset: "utf-8", ...override };
  };
}

function requireOneLocation(source: DocumentSource): void {
  const given = locations.filter((each) => source[each] !== undefined);
  const [wrong] = given.filter((each) => typeof source[each] !== "string");
  if (wrong !== undefined)
    throw validationError({ field: `source.${wrong}`, constraint: "type", expected: "a string" });
  if (given.length === 1) return;
  throw validationError(
    {
      field: "source",
      constraint: "exactly_one",
      expected: "an object with exactly one of path, url, text and content_id",
      received: given.length === 0 ? "none of them" : given.join(" and "),
    },
    {
      remediation:
        given.length === 0
          ? 'Say where the document is, such as source: {"path": "docs/notes.md"}; or url, text or content_id.'
          : `Leave out all but one of ${given.join(", ")}; call once for each document.`,
    },
  );
}

function toBytes(text: string, maxBytes: number): Uint8Array {
  if (text.length > maxBytes) throw tooLarge(maxBytes);
  const bytes = Buffer.from(text);
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

async function readArchived(
  archive: ContentArchive | undefined,
  principal: string,
  id: string,
  maxBytes: number,
): Promise<Uint8Array> {
  if (archive === undefined)
    throw new UnusableDocument("not_found", "Nothing is stored here: there is no archive");
  const entry = await archive.find(principal, toContentKey(id));
  if (entry === undefined)
    throw new UnusableDocument("not_found", "Nothing with this id is kept, or not any more");
  if (entry.size > maxBytes) throw tooLarge(maxBytes);
  try {
    return await archive.read(entry);
  } catch (err) {
    if (!isContractError(err)) throw err;
    if (err.options.details !== undefined && "found_hash" in err.options.details)
      throw new UnusableDocument("broken", "The kept copy is damaged: its bytes have another hash", err);
    if (err.code === "CONTENT_NOT_FOUND")
      throw new UnusableDocument("not_found", "Nothing with this id is kept any more", err);
    throw err;
  }
}

function toContentKey(id: string): ContentKey {
  if (id.startsWith("sha256:")) return { hash: id };
  return id.startsWith("arc_") ? { archiveId: id } : { contentId: id };
}

/** A document as specified by a caller, with exactly one of path, text, url and content_id. */
export interface DocumentSource {
  readonly path?: string | undefined;
  readonly text?: string | undefined;
  readonly url?: string | undefined;
  /** The hash or id of content in the archive. */
  readonly content_id?: string | undefined;
  /** The media type, which overrides detection. */
  readonly content_type?: string | undefined;
}
