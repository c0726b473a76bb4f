import type { Tool } from "@foundry-mcp/toolkit";
import { type Settings, toolNames } from "../config/settings.ts";
import type { Research } from "../research/tool/research.ts";
import { createResearchTool } from "../research/tool/research-tool.ts";
import { createAuthoringTool } from "../specs/tools/authoring/authoring-tool.ts";
import { createJournalTool } from "../specs/tools/journal-tool.ts";
import { createLifecycleTool } from "../specs/tools/lifecycle-tool.ts";
import { createSpecTool } from "../specs/tools/spec/spec-tool.ts";
import { createTaskTool } from "../specs/tools/task/task-tool.ts";
import type { VerificationDeps } from "../specs/tools/verification/execute-verification.ts";
import { createVerificationTool } from "../specs/tools/verification/verification-tool.ts";
import type { Workspace } from "../specs/tools/workspace.ts";

/** The services that some tools need besides the specs. */
export interface ToolServices {
  readonly running: VerificationDeps;
  readonly openResearch: () => Promise<Research>;
}

const creators: Readonly<
  Record<(typeof toolNames)[number], (workspace: Workspace, services: ToolServices) => Tool>
> = {
  spec: createSpecTool,
  task: createTaskTool,
  authoring: createAuthoringTool,
  lifecycle: createLifecycleTool,
  journal: createJournalTool,
  verification: (workspace, { running }) => createVerificationTool(workspace, running),
  research: (_workspace, { openResearch }) => createResearchTool(openResearch),
};

const core: readonly (typeof toolNames)[number][] = ["spec", "task"];

/** Creates the tools that the setting `tools` selects: core, all, or some by name. */
export function createTools(
  workspace: Workspace,
  selected: Settings["tools"],
  services: ToolServices,
): readonly Tool[] {
  const names = selected === "core" ? core : selected === "all" ? toolNames : selected;
  return names.map((name) => creators[name](workspace, services));
}
