import { lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { systemErrorCode } from "@foundry-mcp/toolkit/files";
import { nameSettingPlaces } from "./setting-places.ts";
import type { SettingName } from "./settings.ts";

/** A setting of a workspace's file that names a path. */
export interface WorkspacePath {
  readonly name: SettingName;
  readonly value: string;
  /** The file that sets it. */
  readonly file: string;
  /** The settings file of the user, which may name any path. */
  readonly userFile: string | undefined;
}

/**
 * Resolves a path of a workspace's file; fails with INVALID_PATH where it leads out of the folder of that file, be it
 * by itself or through a link. There is nothing to fall back to: specs from elsewhere would be taken for these.
 */
export function confinePath(path: WorkspacePath): string {
  const folder = dirname(path.file);
  const resolved = resolve(folder, path.value);
  const real = toReal(resolved);
  if (isInside(folder, resolved) && real !== undefined && isInside(realpathSync(folder), real))
    return resolved;
  throw leadsOut(path);
}

/** True if a path is a folder or lies below it; neither is looked up on the disk. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The path with all links resolved, though its end may be missing; undefined where that cannot be found out. */
function toReal(path: string): string | undefined {
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

function leadsOut({ name, file, userFile }: WorkspacePath): ContractError {
  return new ContractError(
    `Cannot use the setting ${name} of ${file}: its path leads out of the folder of that file`,
    {
      errorCode: "INVALID_PATH",
      remediation: `Take ${name} out of ${file}, or set it yourself ${nameSettingPlaces(name, userFile)}.`,
      details: { field: name, constraint: "inside", file },
    },
  );
}
