import type { DigestPool } from "../research/documents/digest-pool.ts";
import type { FilePlace } from "../research/documents/read-file.ts";
import type { FolderIndex } from "../research/search/folder-index.ts";
import { createHttpSearch } from "../research/search/http-search.ts";
import type { ExpandOptions } from "../research/tool/expand-source.ts";
import { createFolderSearch } from "../research/search/search-providers.ts";

/** Creates the search providers by name: `folder` for the documents here, `web` where a server for it is configured. */
export function createSearchProviders(
  place: FilePlace,
  pool: DigestPool,
  searchUrl: string | undefined,
): Pick<ExpandOptions, "provider" | "providers"> {
  const web = searchUrl === undefined ? undefined : createHttpSearch({ name: "web", baseUrl: searchUrl });
  // An index is kept: the next search of the folder reads only what has changed.
  const indexes = new Map<string, FolderIndex>();
  const indexOf = (path: string): FolderIndex => {
    const index = indexes.get(path) ?? createFolderSearch({ ...place, path, pool });
    indexes.set(path, index);
    return index;
  };
  return {
    provider: (name, folder = ".") =>
      name === "folder" ? indexOf(folder) : name === "web" ? web : undefined,
    providers: ["folder", ...(web === undefined ? [] : ["web"])],
  };
}
