import type { UnknownRecord } from "@foundry-mcp/contract";

/** Returns the normalized files and folders in a task's `file_path`; empty if there are none. */
export function filesOf({ file_path: path }: UnknownRecord): readonly string[] {
  if (typeof path !== "string") return [];
  return path
    .split(/[,;\n]/)
    .map(normalizePath)
    .filter((each) => each !== undefined);
}

/**
 * True if the two lists have a path in common, or if a path of one list is inside a folder of the other list.
 */
export function doFilesOverlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((a) => others.some((b) => isAtOrBelow(a, b) || isAtOrBelow(b, a)));
}

/**
 * True if a path is the given folder or is inside the folder. The empty path is the project folder, which
 * contains every path.
 */
function isAtOrBelow(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/**
 * Normalizes a path. Resolves `.`, `..`, backslashes and double slashes, and drops quotes, line numbers, and
 * everything from the first part with a wildcard on.
 */
function normalizePath(text: string): string | undefined {
  const path = text.trim().replaceAll(/^[`"']+|[`"']+$/g, "");
  if (path === "") return undefined;
  const parts: string[] = [];
  for (const part of path
    .replaceAll("\\", "/")
    .replace(/:\d[\d:,-]*$/, "")
    .split("/")) {
    if (/[*?[{]/.test(part)) break;
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
