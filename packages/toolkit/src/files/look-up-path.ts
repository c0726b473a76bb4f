import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { systemErrorCode } from "./system-error.ts";

/** Returns the kind of the file at a path, following links; undefined if there is no file or access is denied. */
export function findKind(path: string): "file" | "folder" | "other" | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
  } catch {
    return undefined;
  }
}

/**
 * Resolves all links of a path; the last parts of the path may be missing. Returns undefined if the path cannot be
 * resolved.
 */
export function resolveLinks(path: string): string | undefined {
  const missing: string[] = [];
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      return join(realpathSync(existing), ...missing);
    } catch (err) {
      const isMissing = ["ENOENT", "ENOTDIR"].includes(systemErrorCode(err));
      // A broken link is not resolved, because its target may be created later.
      if (!isMissing || isLink(existing) || dirname(existing) === existing) return undefined;
      missing.unshift(relative(dirname(existing), existing));
    }
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
