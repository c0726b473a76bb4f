import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { isInside } from "./confine-path.ts";
import { findUpwards } from "./find-upwards.ts";

/**
 * Finds the nearest folder called specs, from a folder upwards; returns undefined where there is none. A link that leads
 * out of its repository is refused, because whoever wrote the repository would choose which folder is written.
 */
export function discoverSpecs(cwd: string): string | undefined {
  const found = findUpwards(cwd, "specs", "folder");
  if (found === undefined) return undefined;
  const folder = dirname(found);
  // In a linked worktree .git is a file.
  const marks = [findUpwards(folder, ".git", "folder"), findUpwards(folder, ".git")];
  const [nearest = found] = marks
    .filter((mark) => mark !== undefined)
    .toSorted((a, b) => b.length - a.length);
  if (isInside(realpathSync(dirname(nearest)), realpathSync(found))) return found;
  throw new ContractError('Cannot use the folder "specs": it is a link that leads out of its repository', {
    errorCode: "INVALID_PATH",
    remediation: "Name the folder that you want to use with --specs-dir or FOUNDRY_SPECS_DIR.",
    details: { path: "specs" },
  });
}
