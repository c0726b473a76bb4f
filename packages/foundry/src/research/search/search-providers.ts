import type { DigestPool } from "../documents/digest-pool.ts";
import { listDocuments } from "../documents/list-documents.ts";
import { type FileAccess, locateFile, readLocalFile } from "../documents/read-local-file.ts";
import { UnusableDocument } from "../documents/unusable-document.ts";
import type { ExpandOptions } from "./expand-source.ts";
import { createFolderIndex, type FolderIndex } from "./folder-index.ts";
import { createHttpSearch } from "./http-search.ts";

/** Creates the search providers: `folder` for local documents, and `web` if a search server is configured. */
export function createSearchProviders(
  access: FileAccess,
  pool: DigestPool,
  searchUrl: string | undefined,
): Pick<ExpandOptions, "provider" | "providers"> {
  const web = searchUrl === undefined ? undefined : createHttpSearch({ name: "web", baseUrl: searchUrl });
  // The index of each folder is cached, so that the next search reads only the documents that have changed.
  const indexes = new Map<string, FolderIndex>();
  const indexOf = (folder: string): FolderIndex => {
    const index = indexes.get(folder) ?? createFolderSearch(folder, access, pool);
    indexes.set(folder, index);
    return index;
  };
  return {
    provider: (name, folder = ".") =>
      name === "folder" ? indexOf(folder) : name === "web" ? web : undefined,
    providers: ["folder", ...(web === undefined ? [] : ["web"])],
  };
}

function createFolderSearch(folder: string, access: FileAccess, pool: DigestPool): FolderIndex {
  return createFolderIndex({
    async list() {
      const listing = await listDocuments(folder, access);
      if (listing !== undefined) return listing.documents;
      throw new UnusableDocument("not_found", "There is no such folder");
    },
    async read(path) {
      // The signal of a single read is never aborted. The index checks the signal of its own search between
      // documents.
      const { signal } = new AbortController();
      const { text } = await pool.digest(await readLocalFile(path, { ...access, signal }), {}, signal);
      return Buffer.from(text).toString("utf8");
    },
    async stamp(path) {
      const { mtimeMs, size } = (await locateFile(path, access)).stat;
      return `${mtimeMs}-${size}`;
    },
  });
}
