import { dirname, isAbsolute, relative, sep } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import type { FileStat, FileSystem } from "./file-system.ts";

/** Where a file really lies, and what is there now. */
export interface ResolvedPath {
  readonly path: string;
  readonly stat: FileStat | undefined;
  /** True where the path itself is a link. */
  readonly isLink: boolean;
}

/**
 * Follows the links in a path. A file that is a link is written where it leads to, so that it stays a
 * link; what leads out of the root is refused: nobody who names a spec means a file elsewhere.
 */
export async function resolvePath(fs: FileSystem, path: string, root: string): Promise<ResolvedPath> {
  const stat = await unlessMissing(fs.lstat(path));
  const real = stat === undefined ? await fs.realpath(dirname(path)) : await unlessMissing(fs.realpath(path));
  if (real === undefined) throw linkRefused(path, root, "it is a link that leads nowhere");
  if (!isWithin(real, await fs.realpath(root)))
    throw linkRefused(path, root, "a link leads out of the folder");
  if (stat === undefined) return { path, stat, isLink: false };
  const isLink = stat.isSymbolicLink();
  return { path: real, stat: isLink ? await fs.stat(real) : stat, isLink };
}

/** The path of a file as users know it, from the root and with forward slashes. */
export function toName(path: string, root: string): string {
  return relative(root, path).split(sep).join("/");
}

function isWithin(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The failure for a link that cannot be followed. */
export function linkRefused(path: string, root: string, why: string): ContractError {
  const name = toName(path, root);
  return new ContractError(`Cannot write ${JSON.stringify(name)}: ${why}`, {
    errorCode: "INVALID_PATH",
    remediation: "Replace the link by the file itself, or let it lead to a file within the same folder.",
    details: { path: name },
  });
}
