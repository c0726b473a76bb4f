import { createRegistry, type Registry } from "@foundry-mcp/toolkit";
import { checkErrors } from "../check/check-errors.ts";
import { contract } from "../check/tool/contract-tool.ts";
import { createTools } from "./create-tools.ts";
import { roles } from "./roles.ts";
import { createStoreTool } from "./store-tool.ts";
import { version } from "./version.ts";
import { createWorkspaceTool, type WorkspaceDeps } from "./workspace-tool.ts";

/** Creates the registry of the command line: every tool, whatever the settings let a server offer. */
export function createCliRegistry(deps: WorkspaceDeps): Registry {
  const { load, workspace } = deps;
  return createRegistry({
    name: "foundry-mcp",
    version,
    title: "Foundry",
    roles,
    tools: [
      ...createTools(workspace, "all", {
        running: {
          programs: async () => (await load()).values.verify_programs,
          folder: workspace.folder,
          outputs: async () => {
            const location = await workspace.location();
            return "specs_dir" in location ? location.specs_dir : workspace.archive;
          },
        },
        reviewing: workspace.reviewing,
        openResearch: workspace.research.open,
      }),
      contract,
      createStoreTool(deps),
      createWorkspaceTool(deps),
    ],
    errors: checkErrors.catalogue,
    warnings: deps.warnings,
    // A pipe takes answers of any length, and content that servers left out can be read here.
    budget: { maxTokens: 0, archive: workspace.archive },
  });
}
