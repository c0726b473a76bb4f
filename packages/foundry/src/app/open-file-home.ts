import { join } from "node:path";
import { createFileArchive } from "@foundry-mcp/toolkit/archive";
import { toCacheFolder } from "../config/cache-folder.ts";
import type { Settings } from "../config/settings.ts";
import { syncFileSystem } from "../files/durable/sync-file-system.ts";
import { openFileStore } from "../specs/stores/file-store/file-store.ts";
import type { WorkspaceHome } from "./workspace-home.ts";

/** Opens a workspace in the files of a specs folder; a brief one is for one command, while which nothing else waits. */
export function openFileHome(
  root: string,
  { history: keepRevisions, archive_dir: named }: Settings,
  isBrief: boolean,
): WorkspaceHome {
  const brief = isBrief ? { fs: syncFileSystem, summariesFile: toSummariesFile(root) } : {};
  const store = openFileStore({ root, keepRevisions, ...brief });
  return {
    store,
    // Made when it is asked for: most commands never do.
    get archive() {
      return createFileArchive({ folder: named ?? join(root, ".foundry", "archive") });
    },
    close: () => store.close(),
  };
}

/** A file for every specs folder; a path that is too long for a name goes without. */
function toSummariesFile(root: string): string | undefined {
  const name = `specs-${encodeURIComponent(root)}.json`;
  return name.length > 180 ? undefined : join(toCacheFolder(process.env), name);
}
