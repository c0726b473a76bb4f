import { resolve } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import type { Compatibility, Tool } from "@foundry-mcp/toolkit";
import type { Settings } from "../../config/settings.ts";
import { createPlanTool } from "./plan-tool.ts";
import { createProviderTool } from "./provider-tool.ts";
import { referenceCalls } from "./reference-calls.ts";

/** The tools of the reference that have no counterpart: they are listed with `--tools reference` only. */
export function createReferenceTools(
  specsFolder: () => Promise<string | undefined>,
  { tools, model }: Settings,
): readonly Tool[] {
  const unlisted = tools !== "reference";
  const requireFolder = async () => {
    const folder = await specsFolder();
    if (folder !== undefined) return folder;
    throw new ContractError("Cannot use plans: they are files, and the specs are in a database", {
      errorCode: "INVALID_STATE",
      remediation: "Keep the plan in the repository, and name it with plan_path in the metadata of the spec.",
    });
  };
  return [createPlanTool(requireFolder, unlisted), createProviderTool(model, unlisted)];
}

/** The names and parameters of the reference that calls may use. A server has one workspace, whatever a caller names. */
export function createReferenceNames(cwd: string, { tools, specs_dir: specsDir }: Settings): Compatibility {
  const own = [cwd, ...(specsDir === undefined ? [] : [specsDir, resolve(specsDir, "..")])];
  const workspace = (value: unknown) => {
    const isOwn = value === null || (typeof value === "string" && own.includes(resolve(cwd, value)));
    return isOwn
      ? {}
      : "This server has one workspace: leave workspace out, or start a server in the other one.";
  };
  return { calls: referenceCalls, parameters: { workspace }, listed: tools === "reference" };
}
