import { defineTool, type Tool } from "@foundry-mcp/toolkit";
import type { Workspace } from "../workspace.ts";
import { noteActions } from "./note-actions.ts";
import { phaseActions } from "./phase-actions.ts";
import { specActions } from "./spec-actions.ts";
import { wholeActions } from "./whole-actions.ts";

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
