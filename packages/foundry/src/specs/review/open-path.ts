import { relative, resolve, sep } from "node:path";
import { isBelow } from "@foundry-mcp/toolkit/files";

/**
 * The folders whose files are never shown, because they contain credentials and responses to other callers.
 */
const privateFolders: readonly string[] = [".git", ".foundry"];

/**
 * Converts a path that a spec names to a path relative to the workspace. Returns undefined if the path leads
 * outside the workspace or into a private folder.
 */
export function toOpenPath(folder: string, path: string): string | undefined {
  if (path === "" || path.includes("\0")) return undefined;
  const target = resolve(folder, path);
  if (!isBelow(target, folder) || target === resolve(folder)) return undefined;
  const names = relative(folder, target).split(sep);
  return names.some((name) => privateFolders.includes(name.toLowerCase())) ? undefined : names.join("/");
}
