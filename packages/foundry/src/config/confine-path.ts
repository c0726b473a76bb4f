import { dirname, resolve } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { isBelow, resolveLinks } from "@foundry-mcp/toolkit/files";
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
  const [real, realFolder] = [resolveLinks(resolved), resolveLinks(folder)];
  if (
    isBelow(resolved, folder) &&
    real !== undefined &&
    realFolder !== undefined &&
    isBelow(real, realFolder)
  )
    return resolved;
  throw leadsOut(path);
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
