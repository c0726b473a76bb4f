import { watch } from "node:fs";
import { join } from "node:path";
import { specFolders } from "../../specs/spec-document.ts";
import { isSpecId } from "../spec-id.ts";

/**
 * Tells the ids of specs whose files change, by whomever; returns how to stop. Folders that are not there cannot
 * be watched.
 */
export function watchFolders(root: string, tell: (id: string) => void): () => void {
  const watchers = specFolders.flatMap((folder) => {
    try {
      const watcher = watch(join(root, folder), { persistent: false }, (_event, name) => {
        if (name?.endsWith(".json") && isSpecId(name.slice(0, -5))) tell(name.slice(0, -5));
      });
      return [watcher.on("error", () => watcher.close())];
    } catch {
      return [];
    }
  });
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}
