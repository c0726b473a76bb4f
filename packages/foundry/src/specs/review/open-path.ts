import { relative, resolve, sep } from "node:path";
import { isBelow } from "@foundry-mcp/toolkit/files";

/** Folders whose files are shown to nobody: they hold credentials, and answers to other callers. */
const privateFolders: readonly string[] = [".git", ".foundry"];

/** Returns a path that a spec names, relative to the workspace; undefined for one that leads out of it or is private. */
export function toOpenPath(folder: string, path: string): string | undefined {
  if (path === "" || path.includes("\0")) return undefined;
  const target = resolve(folder, path);
  if (!isBelow(target, folder) || target === resolve(folder)) return undefined;
  const names = relative(folder, target).split(sep);
  return names.some((name) => privateFolders.includes(name.toLowerCase())) ? undefined : names.join("/");
}
