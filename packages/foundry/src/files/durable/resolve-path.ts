import { dirname, isAbsolute, relative, sep } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import type { FileStat, FileSystem } from "./file-system.ts";

/** A path with its symbolic links resolved, and the file that is there. */
export interface ResolvedPath {
  readonly path: string;
  readonly stat: FileStat | undefined;
  /** True if the path itself is a symbolic link. */
  readonly isLink: boolean;
}

/**
 * Resolves the symbolic links in a path: a linked file is written at the target of the link, so that the link remains.
 * A link that leads out of the root is refused, because no spec lies outside of it.
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

/** The path of a file relative to the root, with forward slashes, for messages. */
export function toName(path: string, root: string): string {
  return relative(root, path).split(sep).join("/");
}

function isWithin(path: string, root: string): boolean {
  const relativePath = relative(root, path);
  return relativePath !== ".." && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
}

/** The error for a symbolic link that must not be followed. */
export function linkRefused(path: string, root: string, why: string): ContractError {
  const name = toName(path, root);
  return new ContractError(`Cannot write ${JSON.stringify(name)}: ${why}`, {
    errorCode: "INVALID_PATH",
    remediation: "Replace the link by the file itself, or let it lead to a file within the same folder.",
    details: { path: name },
  });
}
