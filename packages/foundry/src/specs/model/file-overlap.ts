import type { UnknownRecord } from "@foundry-mcp/contract";

/** Returns the files and folders that a task says it changes, normalized; empty if it names none. */
export function filesOf({ file_path: path }: UnknownRecord): readonly string[] {
  if (typeof path !== "string") return [];
  return path
    .split(/[,;\n]/)
    .map(normalizePath)
    .filter((each) => each !== undefined);
}

/** True if two lists of files name the same one, or one is a folder of the other. */
export function doFilesOverlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((a) => others.some((b) => isAtOrBelow(a, b) || isAtOrBelow(b, a)));
}

/** The empty path is the folder of the project, which everything is below. */
function isAtOrBelow(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** Resolves `.`, `..`, backslashes and double slashes; line numbers, quotes and everything from a wildcard on are dropped. */
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
