import { defineTool, type Tool } from "@foundry-mcp/toolkit";
import { noteActions } from "./authoring/note-actions.ts";
import { phaseActions } from "./authoring/phase-actions.ts";
import { specActions } from "./authoring/spec-actions.ts";
import { wholeActions } from "./authoring/whole-actions.ts";
import type { Workspace } from "../specs/tools/workspace.ts";

/** Creates the tool that specs are written with. */
export function createAuthoringTool(workspace: Workspace): Tool {
  return defineTool({
    name: "authoring",
    version: "1.0.0",
    description: "Write specs: new ones, their phases, notes and texts",
    actions: {
      ...specActions(workspace),
      ...phaseActions(workspace),
      ...noteActions(workspace),
      ...wholeActions(workspace),
    },
  });
}
