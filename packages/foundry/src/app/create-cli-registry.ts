import { createRegistry, type Registry } from "@foundry-mcp/toolkit";
import { checkErrors } from "../check/check-errors.ts";
import { contract } from "../tools/contract.ts";
import { createStoreTool, type StoreCommands } from "../tools/store-tool.ts";
import type { Workspace, WorkspaceCommands } from "../specs/tools/workspace.ts";
import { createWorkspaceTool } from "../tools/workspace-tool.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import { createSpecTools, type ToolServices } from "./spec-tools.ts";
import { version } from "./version.ts";

/** Creates what the command line offers: every tool, whatever a server is told to serve. */
export function createCliRegistry(
  workspace: Workspace & Pick<OpenWorkspace, "archive">,
  commands: WorkspaceCommands,
  services: ToolServices,
  stores: StoreCommands,
): Registry {
  return createRegistry({
    name: "foundry-mcp",
    version,
    title: "Foundry",
    tools: [
      ...createSpecTools(workspace, "all", services),
      contract,
      createStoreTool(stores),
      createWorkspaceTool(commands),
    ],
    errors: checkErrors.catalogue,
    // A pipe takes answers of any length; what servers have shortened can be had here.
    budget: { maxTokens: 0, archive: workspace.archive },
  });
}
