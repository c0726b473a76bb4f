import { stat } from "node:fs/promises";
import type { DigestPool } from "../documents/digest-pool.ts";
import { listDocuments } from "../documents/list-documents.ts";
import { type FilePlace, readFile, resolvePath } from "../documents/read-file.ts";
import { UnusableDocument } from "../documents/unusable-document.ts";
import { createFolderIndex, type FolderIndex } from "./folder-index.ts";

/** Which folder is searched. */
export interface FolderSearchOptions extends FilePlace {
  readonly path: string;
  readonly pool: DigestPool;
}

/** Creates the search provider over the documents of a folder, as they are read for digests. */
export function createFolderSearch({ path: folder, pool, ...place }: FolderSearchOptions): FolderIndex {
  return createFolderIndex({
    async list() {
      const listing = await listDocuments(folder, place);
      if (listing !== undefined) return listing.documents;
      throw new UnusableDocument("not_found", "There is no such folder");
    },
    async read(path) {
      // The index keeps no text: it ends with the search that it is read for.
      const { signal } = new AbortController();
      const { text } = await pool.digest(await readFile(path, { ...place, signal }), {}, signal);
      return Buffer.from(text).toString("utf8");
    },
    async stamp(path) {
      const { mtimeMs, size } = await stat(await resolvePath(path, place));
      return `${mtimeMs}-${size}`;
    },
  });
}
