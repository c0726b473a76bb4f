import { defineTool, type Tool } from "@foundry-mcp/toolkit";
import type { Workspace } from "../workspace.ts";
import { batchAction } from "./batch-action.ts";
import { editActions, statusActions } from "./change-actions.ts";
import { claimActions } from "./claim-actions.ts";
import { claimsAction } from "./claims-action.ts";
import { createOwnClaims } from "./own-claims.ts";
import { readActions } from "./read-actions.ts";
import { waitAction } from "./wait-action.ts";

/** Creates the tool that lists, claims and changes tasks. */
export function createTaskTool(workspace: Workspace): Tool {
  const claims = createOwnClaims();
  return defineTool({
    name: "task",
    version: "1.0.0",
    description: "Find, claim, complete and change the tasks of specs",
    actions: {
      ...claimActions(workspace, claims),
      ...claimsAction(workspace),
      ...batchAction(workspace, claims),
      ...waitAction(workspace),
      ...readActions(workspace),
      ...statusActions(workspace, claims),
      ...editActions(workspace),
    },
  });
}
