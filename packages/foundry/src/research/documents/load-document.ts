import { isContractError, validationError } from "@foundry-mcp/contract";
import type { ContentArchive, ContentKey } from "@foundry-mcp/toolkit/archive";
import type { DocumentSource } from "./document-source.ts";
import { type FetchOptions, fetchDocument } from "./fetch-document.ts";
import { mostBytes, tooLarge } from "./most-bytes.ts";
import type { RawDocument } from "./read-document.ts";
import { type FileAccess, readFile } from "./read-file.ts";
import { UnusableDocument } from "./unusable-document.ts";

/** Where documents are found, and how. */
export interface LoaderOptions extends FileAccess, Omit<FetchOptions, "signal"> {
  /** Where what was kept is found. @default nowhere */
  readonly archive?: ContentArchive | undefined;
}

/** Finds a document for a caller; throws an UnusableDocument that says why not. */
export type DocumentLoader = (
  source: DocumentSource,
  principal: string,
  signal: AbortSignal,
) => Promise<RawDocument>;

const places = ["path", "url", "text", "content_id"] as const;

/** Creates a finder of documents: files, pages of the web, texts as they are, and what is kept in the archive. */
export function createDocumentLoader(options: LoaderOptions): DocumentLoader {
  const { maxBytes = mostBytes, archive } = options;
  return async (source, principal, signal) => {
    signal.throwIfAborted();
    requireOnePlace(source);
    const { path, url, text, content_id: id, content_type: contentType } = source;
    // What the caller says of a document is what counts.
    const said = contentType === undefined ? {} : { contentType };
    if (path !== undefined) return { ...(await readFile(path, { ...options, signal })), ...said };
    if (url !== undefined) return { ...(await fetchDocument(url, { ...options, signal })), ...said };
    if (text !== undefined)
      return { bytes: toBytes(text, maxBytes), name: "text", charset: "utf-8", ...said };
    const bytes = await readKept(archive, principal, id ?? "", maxBytes);
    return { bytes, name: id ?? "", contentType: "text/plain", charset: "utf-8", ...said };
  };
}

function requireOnePlace(source: DocumentSource): void {
  const given = places.filter((place) => source[place] !== undefined);
  const [wrong] = given.filter((place) => typeof source[place] !== "string");
  if (wrong !== undefined)
    throw validationError({ field: `source.${wrong}`, constraint: "type", expected: "a string" });
  if (given.length === 1) return;
  throw validationError(
    {
      field: "source",
      constraint: "exactly_one",
      expected: "an object with exactly one of path, url, text and content_id",
      received: given.length === 0 ? "none of them" : given.join(", "),
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

async function readKept(
  archive: ContentArchive | undefined,
  principal: string,
  id: string,
  maxBytes: number,
): Promise<Uint8Array> {
  if (archive === undefined)
    throw new UnusableDocument("not_found", "Nothing is kept here: there is no archive");
  const entry = await archive.find(principal, toKey(id));
  if (entry === undefined)
    throw new UnusableDocument("not_found", "Nothing with this id is kept, or not any more");
  if (entry.size > maxBytes) throw tooLarge(maxBytes);
  try {
    return await archive.read(entry);
  } catch (err) {
    if (!isContractError(err)) throw err;
    if (err.code === "CONTENT_NOT_FOUND")
      throw new UnusableDocument("not_found", "Nothing with this id is kept any more", err);
    if (err.options.details !== undefined && "found_hash" in err.options.details)
      throw new UnusableDocument("broken", "The kept copy is damaged: its bytes have another hash", err);
    throw err;
  }
}

function toKey(id: string): ContentKey {
  if (id.startsWith("sha256:")) return { hash: id };
  return id.startsWith("arc_") ? { archiveId: id } : { contentId: id };
}
