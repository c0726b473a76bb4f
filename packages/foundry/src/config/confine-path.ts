import { dirname, resolve } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { isBelow, resolveLinks } from "@foundry-mcp/toolkit/files";
import { nameSettingPlaces } from "./setting-places.ts";
import type { SettingName } from "./settings.ts";

/** A setting in a workspace's file whose value is a path. */
export interface WorkspacePath {
  readonly name: SettingName;
  readonly value: string;
  /** The file that contains the setting. */
  readonly file: string;
  /** The settings file of the user, which may name any path. */
  readonly userFile: string | undefined;
}

/**
 * Resolves a path in a workspace's file. Fails with INVALID_PATH if the path leads out of the folder of that file,
 * either directly or through a link. There is no fallback folder, because its specs would be mistaken for the
 * workspace's specs.
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
    `Cannot use the setting ${name} of ${file}: its path leads outside the folder of that file`,
    {
      errorCode: "INVALID_PATH",
      remediation: `Remove ${name} from ${file}, or set it yourself ${nameSettingPlaces(name, userFile)}.`,
      details: { field: name, constraint: "inside", file },
    },
  );
}
