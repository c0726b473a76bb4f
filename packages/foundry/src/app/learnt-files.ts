import { join } from "node:path";
import { createWorkspaceFiles, syncCalls } from "@foundry-mcp/toolkit/files";
import { markUsed, removeUnused } from "../config/cache-files.ts";
import { toCacheFolder } from "../config/user-folders.ts";
import type { LearntFiles } from "../specs/stores/file-store/spec-reader.ts";

/** The maximum number of workspaces whose lists are kept. */
const maxLists = 100;
/** The maximum number of large specs whose indexes are kept. The index of 10,000 tasks takes half a megabyte. */
const maxIndexes = 40;

/**
 * Returns the files in the user's cache folder that commands read instead of specs. These files are not in the
 * workspace, because a workspace is untrusted. Returns nothing if there is no home folder.
 */
export function toLearntFiles(root: string): LearntFiles {
  const folder = toCacheFolder(process.env);
  if (folder === undefined) return {};
  const files = createWorkspaceFiles({
    root: folder,
    privateFolder: ".",
    isPersonal: true,
    calls: syncCalls,
  });
  const clean = (beginning: string, ending: string, keep: number) => (name: string) =>
    removeUnused(folder, { beginning, ending, keep: keep - 1, except: name });
  const indexes = {
    ...{ path: folder, files },
    onUse: (name: string, mtimeMs: number) => markUsed(join(folder, name), mtimeMs),
    onWrite: clean("spec-", ".index", maxIndexes),
  };
  const name = `specs-${encodeURIComponent(root)}.json`;
  // A longer name would not be a valid file name.
  if (name.length > 180) return { indexes };
  const path = join(folder, name);
  const cleanLists = clean("specs-", ".json", maxLists);
  return {
    indexes,
    summaries: {
      ...{ path, files },
      onUse: (mtimeMs) => markUsed(path, mtimeMs),
      onWrite: () => cleanLists(name),
    },
  };
}
