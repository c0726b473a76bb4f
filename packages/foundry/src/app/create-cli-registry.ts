import { createRegistry, type Registry, type Tool } from "@foundry-mcp/toolkit";
import { createJobsTool } from "@foundry-mcp/toolkit/jobs";
import { checkErrors } from "../check/check-errors.ts";
import { contract } from "../check/tool/contract-tool.ts";
import { toolNames } from "../config/settings.ts";
import { version } from "../program/version.ts";
import { createConfigTool } from "./config-tool.ts";
import { createTools } from "./create-tools.ts";
import { createEditTool } from "./edit-tool.ts";
import { referenceAnswers } from "./reference/reference-answers.ts";
import { createPlans } from "./reference/reference-names.ts";
import { roles } from "./roles.ts";
import { createStoreTool } from "./store-tool.ts";
import { createWorkspaceTool, type WorkspaceDeps } from "./workspace-tool.ts";

/**
 * Creates the registry of the command line with all tools, regardless of the settings for servers. If a name is
 * passed, the registry contains only that tool, which takes less time.
 */
export function createCliRegistry(deps: WorkspaceDeps, only?: string): Registry {
  return createRegistry({
    name: "foundry-mcp",
    version,
    title: "Foundry",
    roles,
    tools: [...createSpecTools(deps, only), ...createOwnTools(deps, only)],
    errors: checkErrors.catalogue,
    warnings: deps.warnings,
    compatibility: { calls: [], answers: referenceAnswers, isAnswered: deps.isReference ?? (() => false) },
    // Answers have no size limit, because a pipe takes answers of any length. The archive is needed to read content
    // that servers left out of their answers.
    budget: { maxTokens: 0, archive: deps.workspace.archive },
    jobs: deps.workspace.jobs,
    // The built-in tools describe all tools.
    ...(only === undefined ? {} : { serverTool: false, contentTool: false }),
  });
}

/** Creates the tools that the command line shares with servers. */
function createSpecTools({ load, workspace }: WorkspaceDeps, only: string | undefined): readonly Tool[] {
  const selected = only === undefined ? "all" : toolNames.filter((name) => name === only);
  return createTools(workspace, selected, {
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
  });
}

/** Creates the tools that only the command line has. */
function createOwnTools(deps: WorkspaceDeps, only: string | undefined): readonly Tool[] {
  const own: Readonly<Record<string, () => Tool>> = {
    plan: () => createPlans(() => findSpecsFolder(deps), false),
    contract: () => contract,
    edit: () => createEditTool(deps.workspace),
    config: () => createConfigTool(deps),
    store: () => createStoreTool(deps),
    workspace: () => createWorkspaceTool(deps),
    jobs: () => createJobsTool(deps.workspace.jobs),
  };
  return Object.entries(own).flatMap(([name, create]) =>
    only === undefined || only === name ? [create()] : [],
  );
}

/** Returns the folder of the specs, or undefined if the specs are in a database. */
async function findSpecsFolder({ workspace }: WorkspaceDeps): Promise<string | undefined> {
  const location = await workspace.location();
  return "specs_dir" in location ? location.specs_dir : undefined;
}
