import { createRegistry, type Registry } from "@foundry-mcp/toolkit";
import { checkErrors } from "../check/check-errors.ts";
import { contract } from "../check/tool/contract-tool.ts";
import type { Workspace } from "../specs/tools/workspace.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import { createSpecTools, type ToolServices } from "./spec-tools.ts";
import { createStoreTool, type StoreCommands } from "./store-tool.ts";
import { version } from "./version.ts";
import { createWorkspaceTool, type WorkspaceCommands } from "./workspace-tool.ts";

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
