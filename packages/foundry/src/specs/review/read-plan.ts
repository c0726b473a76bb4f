import { extname, join, resolve } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { createWorkspaceFiles, systemErrorCode } from "@foundry-mcp/toolkit/files";
import { toOpenPath } from "./open-path.ts";

/** The plan of a spec, or the reason why it is not shown. */
export type Plan =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly unavailable: string };

const maxBytes = 256 * 1_024;
const extensions: readonly string[] = [".md", ".markdown", ".txt"];

/**
 * Reads the plan that a spec names. A spec may name any file, so only documents inside the workspace are
 * read. `parents` are the folders to which the path may be relative.
 */
export async function readPlan(folder: string, parents: readonly string[], path: string): Promise<Plan> {
  if (!extensions.includes(extname(path).toLowerCase()))
    return { path, unavailable: `only ${extensions.join(", ")} are read` };
  const files = createWorkspaceFiles({ root: folder });
  for (const parent of parents) {
    const open = toOpenPath(folder, resolve(parent, path));
    if (open === undefined) continue;
    try {
      return { path, text: (await files.readFile(join(folder, open), maxBytes)).bytes.toString("utf8") };
    } catch (error) {
      if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(error))) continue;
      if (isContractError(error)) return { path, unavailable: error.message };
      if (systemErrorCode(error) !== "") return { path, unavailable: "it cannot be read" };
      throw error;
    }
  }
  return { path, unavailable: "there is no such file in the workspace" };
}
