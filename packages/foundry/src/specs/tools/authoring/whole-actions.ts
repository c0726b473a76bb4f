import { action, payload } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { applySteps } from "../../model/changes/apply-steps.ts";
import { changeSpec } from "../change-spec.ts";
import { specRevision, specChangeFields } from "../parameters.ts";
import type { Workspace } from "../workspace.ts";
import { authoringOperations } from "./authoring-operations.ts";
import { runOperation } from "./operation.ts";
import { maxOperations, parseOperationsText, toSteps } from "./parse-steps.ts";
import { loadCreateReplace } from "./timed-replace.ts";

/** The actions of `authoring` that change a spec in many places at once. */
export function wholeActions(workspace: Workspace) {
  const replace = authoringOperations["find-replace"];
  return {
    "find-replace": action({
      description: "Replace a text in titles and descriptions",
      input: () => z.object({ ...specChangeFields, ...replace.fields() }),
      output: () => payload({ ...specRevision, total_replacements: z.int(), nodes_affected: z.int() }),
      aliases: ["spec-find-replace"],
      cli: {
        command: "modify find-replace",
        arguments: ["spec_id", "find", "replace"],
        literal: ["find", "replace"],
      },
      run: runOperation(workspace, replace, () => loadCreateReplace()),
    }),
    apply: action({
      description: "Many changes, all or none",
      input: () =>
        z.object({
          ...specChangeFields,
          operations: z
            .array(z.looseObject({ op: z.string() }))
            .min(1)
            .max(maxOperations)
            .optional()
            .describe(
              '{op: an action of task or authoring that changes a spec, and what it takes}; what adds may have ref: "a", and "$a" is its id',
            ),
          operations_text: z.string().optional().describe("The same as JSON"),
        }),
      output: () => payload({ ...specRevision, applied: z.int() }),
      destructive: true,
      cli: {
        command: "modify apply",
        arguments: ["spec_id", "operations_text"],
        files: ["operations_text"],
      },
      run: async (input, context) => {
        const operations = parseOperationsText(input);
        const steps = toSteps(operations, await loadCreateReplace());
        return changeSpec(workspace, input, applySteps(steps), context);
      },
    }),
  };
}
