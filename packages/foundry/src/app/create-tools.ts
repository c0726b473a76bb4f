import type { Tool } from "@foundry-mcp/toolkit";
import { type Settings, toolNames } from "../config/settings.ts";
import type { Research } from "../research/tool/research.ts";
import { createResearchTool } from "../research/tool/research-tool.ts";
import { createAuthoringTool } from "../specs/tools/authoring/authoring-tool.ts";
import { explainMissingIds } from "../specs/tools/explain-missing-ids.ts";
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
import { withExamples } from "./examples.ts";
import { withHelp } from "./help-texts.ts";
import { authorActions, withRoles } from "./roles.ts";

/** The services that some tools need in addition to the specs. */
export interface ToolServices {
  readonly running: VerificationDeps;
  readonly reviewing: ReviewDeps;
  readonly openResearch: () => Promise<Research>;
}

const creators: Readonly<
  Record<(typeof toolNames)[number], (workspace: Workspace, services: ToolServices) => Tool>
> = {
  // Each create function is used only inside another function, so that a command loads only the modules of its own
  // tool.
  spec: (workspace) => createSpecTool(workspace),
  task: (workspace) => createTaskTool(workspace),
  authoring: (workspace) => createAuthoringTool(workspace),
  lifecycle: (workspace) => createLifecycleTool(workspace),
  journal: (workspace) => createJournalTool(workspace),
  verification: (workspace, { running }) => createVerificationTool(workspace, running),
  review: (workspace, { reviewing }) => createReviewTool(workspace, reviewing),
  research: (_workspace, { openResearch }) => createResearchTool(openResearch),
};

const core: readonly (typeof toolNames)[number][] = ["spec", "task", "lifecycle"];

/**
 * Adds the common behavior of all tools: an answer of a dry run is marked as such, and the error for a missing spec
 * explains the id of the spec.
 */
function toServedTool(workspace: Workspace, tool: Tool): Tool {
  return tellDryRuns(explainMissingIds(workspace, tool));
}

/** Creates the tools selected by the setting `tools`: core, all, or a list of names. */
export function createTools(
  workspace: Workspace,
  selected: Settings["tools"],
  services: ToolServices,
): readonly Tool[] {
  return namesOf(selected).map((name) => createNamed(name, workspace, services));
}

/**
 * Creates the tools that the setting `tools` excludes, for `/api` only. The setting limits the definitions that MCP
 * clients read and pay for; a call over `/api`, such as one of the page, needs no definition.
 */
export function createApiTools(
  workspace: Workspace,
  selected: Settings["tools"],
  services: ToolServices,
): readonly Tool[] {
  return unservedNames(selected).map((name) => ({
    ...createNamed(name, workspace, services),
    surfaces: ["api"],
  }));
}

function createNamed(name: (typeof toolNames)[number], workspace: Workspace, services: ToolServices): Tool {
  return withRoles(
    withHelp(name, withExamples(name, toServedTool(workspace, creators[name](workspace, services)))),
    authorActions[name],
  );
}

const howToServe =
  "start the server with --tools all, or with --tools reference for the names and keys of the Python server";

/** Returns the tools that the setting excludes, each with a text on how to enable it. */
export function unservedTools(selected: Settings["tools"]): Readonly<Record<string, string>> {
  return Object.fromEntries(unservedNames(selected).map((name) => [name, howToServe]));
}

function unservedNames(selected: Settings["tools"]): readonly (typeof toolNames)[number][] {
  const served = namesOf(selected);
  return toolNames.filter((name) => !served.includes(name));
}

function namesOf(selected: Settings["tools"]): readonly (typeof toolNames)[number][] {
  if (selected === "core") return core;
  return selected === "all" || selected === "reference" ? toolNames : selected;
}
