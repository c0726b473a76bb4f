import type { Tool } from "@foundry-mcp/toolkit";
import { type Settings, toolNames } from "../config/settings.ts";
import { createAuthoringTool } from "../tools/authoring.ts";
import type { Running } from "../tools/execute-verification.ts";
import { createJournalTool } from "../tools/journal.ts";
import { createLifecycleTool } from "../tools/lifecycle.ts";
import type { Researching } from "../tools/research/research-calls.ts";
import { createResearchTool } from "../tools/research.ts";
import { createSpecTool } from "../tools/spec.ts";
import { createTaskTool } from "../tools/task.ts";
import { createVerificationTool } from "../tools/verification.ts";
import type { Workspace } from "../specs/tools/workspace.ts";

/** What tools work with beside the specs. */
export interface ToolServices {
  readonly running: Running;
  readonly researching: Researching;
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
  research: (_workspace, { researching }) => createResearchTool(researching),
};

const core: readonly (typeof toolNames)[number][] = ["spec", "task"];

/** The tools of specs that are asked for: core, all, or some by name. */
export function createSpecTools(
  workspace: Workspace,
  asked: Settings["tools"],
  services: ToolServices,
): readonly Tool[] {
  const names = asked === "core" ? core : asked === "all" ? toolNames : asked;
  return names.map((name) => creators[name](workspace, services));
}
