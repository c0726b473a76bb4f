import { action, defineTool, payload, type Tool } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import { explainMissingIds } from "../specs/tools/explain-missing-ids.ts";
import { specId } from "../specs/tools/parameters.ts";
import { createdNodes, specRevision } from "../specs/tools/payload-parts.ts";
import type { Workspace } from "../specs/tools/workspace.ts";
import { editView } from "../specs/views/spec-change-view.ts";
import { editSpec } from "./edit-spec.ts";
import { type EditorTerminal, processTerminal } from "./run-editor.ts";

/**
 * Creates the command that opens a spec in an editor. Only the command line has this command, because an editor uses
 * the terminal.
 */
export function createEditTool(workspace: Workspace, terminal: EditorTerminal = processTerminal): Tool {
  const tool = defineTool({
    name: "edit",
    version: "1.0.0",
    description: "Edit specs in your editor",
    actions: {
      spec: action({
        description: "Edit a spec as Markdown in $VISUAL or $EDITOR, and apply your changes",
        input: () => z.object({ spec_id: specId }),
        output: () =>
          payload({
            ...specRevision,
            added: z.array(z.string()),
            created_nodes: createdNodes(),
            changed: z.array(z.string()),
            removed: z.array(z.string()),
          }),
        timeoutMs: 24 * 3_600_000,
        examples: [{ title: "Edit a spec", args: { spec_id: "tide-tables-2026-01-31-001" } }],
        cli: { command: "specs edit", arguments: ["spec_id"], show: viewOf(() => editView) },
        run: ({ spec_id }, context) => editSpec(workspace, terminal, spec_id, context),
      }),
    },
  });
  return explainMissingIds(workspace, tool);
}
