import { dirname } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { isBelow, resolveLinks } from "@foundry-mcp/toolkit/files";
import { findUpwards } from "./find-upwards.ts";

/**
 * A specs folder, and the folder that its links must not lead out of. The second folder is undefined if a user named
 * the specs folder.
 */
export interface SpecsRoot {
  readonly root: string;
  readonly boundary: string | undefined;
}

/**
 * Finds the nearest folder named `specs`, searching upwards from a folder. Returns undefined if there is none. A link
 * that leads out of its repository is refused, because otherwise the author of the repository could choose the folder
 * that is written to.
 */
export function discoverSpecs(cwd: string): SpecsRoot | undefined {
  const found = findUpwards(cwd, "specs", "folder");
  if (found === undefined) return undefined;
  const folder = dirname(found);
  // In a linked worktree, .git is a file.
  const marks = [findUpwards(folder, ".git", "folder"), findUpwards(folder, ".git")];
  const [nearest = found] = marks
    .filter((mark) => mark !== undefined)
    .toSorted((a, b) => b.length - a.length);
  const [real, repository] = [resolveLinks(found), resolveLinks(dirname(nearest))];
  if (real !== undefined && repository !== undefined && isBelow(real, repository))
    return { root: found, boundary: dirname(nearest) };
  throw new ContractError('Cannot use the folder "specs": it is a link that leads out of its repository', {
    errorCode: "INVALID_PATH",
    remediation: "Name the folder that you want to use with --specs-dir or FOUNDRY_SPECS_DIR.",
    details: { path: "specs" },
  });
}
