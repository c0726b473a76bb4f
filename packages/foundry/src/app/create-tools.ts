import type { Tool } from "@foundry-mcp/toolkit";
import { type Settings, toolNames } from "../config/settings.ts";
import type { Research } from "../research/tool/research.ts";
import { createResearchTool } from "../research/tool/research-tool.ts";
import { createAuthoringTool } from "../specs/tools/authoring/authoring-tool.ts";
import { explainMissingSpecs } from "../specs/tools/explain-missing-specs.ts";
import { createJournalTool } from "../specs/tools/journal-tool.ts";
import { createLifecycleTool } from "../specs/tools/lifecycle-tool.ts";
import type { ReviewDeps } from "../specs/tools/review/prepare-review.ts";
import { createReviewTool } from "../specs/tools/review/review-tool.ts";
import { createSpecTool } from "../specs/tools/spec/spec-tool.ts";
import { createTaskTool } from "../specs/tools/task/task-tool.ts";
import { tellDryRuns } from "../specs/tools/tell-dry-runs.ts";
import type { VerificationDeps } from "../specs/tools/verification/execute-verification.ts";
import { createVerificationTool } from "../specs/tools/verification/verification-tool.ts";
import type { Workspace } from "../specs/tools/workspace.ts";
import { authorActions, withRoles } from "./roles.ts";

/** The services that some tools need besides the specs. */
export interface ToolServices {
  readonly running: VerificationDeps;
  readonly reviewing: ReviewDeps;
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
  review: (workspace, { reviewing }) => createReviewTool(workspace, reviewing),
  research: (_workspace, { openResearch }) => createResearchTool(openResearch),
};

const core: readonly (typeof toolNames)[number][] = ["spec", "task", "lifecycle"];

/** Adds to a tool what all of them do alike: they say of a dry run that it is one, and explain ids of missing specs. */
function toServedTool(workspace: Workspace, tool: Tool): Tool {
  return tellDryRuns(explainMissingSpecs(workspace, tool));
}

/** Creates the tools that the setting `tools` selects: core, all, or some by name. */
export function createTools(
  workspace: Workspace,
  selected: Settings["tools"],
  services: ToolServices,
): readonly Tool[] {
  return namesOf(selected).map((name) =>
    withRoles(toServedTool(workspace, creators[name](workspace, services)), authorActions[name]),
  );
}

/** The tools that the setting leaves out, each with how to have it served. */
export function unservedTools(selected: Settings["tools"]): Readonly<Record<string, string>> {
  const served = namesOf(selected);
  const missing = toolNames.filter((name) => !served.includes(name));
  return Object.fromEntries(missing.map((name) => [name, "start the server with --tools all"]));
}

function namesOf(selected: Settings["tools"]): readonly (typeof toolNames)[number][] {
  if (selected === "core") return core;
  return selected === "all" || selected === "reference" ? toolNames : selected;
}
