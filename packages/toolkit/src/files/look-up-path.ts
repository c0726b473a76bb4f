import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { systemErrorCode } from "./system-error.ts";

/** What lies at a path, links followed; undefined where nothing does, or where it may not be looked at. */
export function findKind(path: string): "file" | "folder" | "other" | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
  } catch {
    return undefined;
  }
}

/** A path with all links resolved, though its end may be missing; undefined where that cannot be found out. */
export function resolveLinks(path: string): string | undefined {
  const missing: string[] = [];
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      return join(realpathSync(existing), ...missing);
    } catch (err) {
      const isMissing = ["ENOENT", "ENOTDIR"].includes(systemErrorCode(err));
      // A link that leads nowhere today may lead anywhere tomorrow.
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
