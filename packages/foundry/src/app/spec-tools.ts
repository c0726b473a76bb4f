import type { Tool } from "@foundry-mcp/toolkit";
import { type Settings, toolNames } from "../config/settings.ts";
import { createAuthoringTool } from "../tools/authoring.ts";
import type { Running } from "../tools/execute-verification.ts";
import { createJournalTool } from "../tools/journal.ts";
import { createLifecycleTool } from "../tools/lifecycle.ts";
import { createSpecTool } from "../tools/spec.ts";
import { createTaskTool } from "../tools/task.ts";
import { createVerificationTool } from "../tools/verification.ts";
import type { Workspace } from "../tools/workspace.ts";

const creators: Readonly<
  Record<(typeof toolNames)[number], (workspace: Workspace, running: Running) => Tool>
> = {
  spec: createSpecTool,
  task: createTaskTool,
  authoring: createAuthoringTool,
  lifecycle: createLifecycleTool,
  journal: createJournalTool,
  verification: createVerificationTool,
};

const core: readonly (typeof toolNames)[number][] = ["spec", "task"];

/** The tools of specs that are asked for: core, all, or some by name. */
export function createSpecTools(
  workspace: Workspace,
  asked: Settings["tools"],
  running: Running,
): readonly Tool[] {
  const names = asked === "core" ? core : asked === "all" ? toolNames : asked;
  return names.map((name) => creators[name](workspace, running));
}
