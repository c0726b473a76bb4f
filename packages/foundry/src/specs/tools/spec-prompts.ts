import { definePrompt, type Prompt } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { programName } from "../../program/program-name.ts";
import { findNextTask } from "../model/next-task.ts";
import { groupDiagnostics } from "../model/validate/group-diagnostics.ts";
import { validateSpec } from "../model/validate/validate-spec.ts";
import { toSpecStatus } from "./spec-views.ts";
import type { Workspace } from "./workspace.ts";

/** Creates the prompts for common requests about specs. */
export function specPrompts(workspace: Workspace): readonly Prompt[] {
  const complete = {
    spec_id: async (typed: string) => {
      const { specs } = await (await workspace.store()).list();
      return specs.map(({ id }) => id).filter((id) => id.startsWith(typed));
    },
  };
  const aboutSpec = () => z.object({ spec_id: z.string().describe("Id of the spec") });
  return [
    definePrompt({
      name: "start_feature",
      description: "Plan a feature as a spec, and begin",
      arguments: () => z.object({ feature: z.string().describe("Feature to build") }),
      render: ({ feature }) =>
        [
          `Plan this feature as a spec: ${feature}`,
          `Write it with authoring(action="spec-create") or ${programName} specs create: phases in the order of work, in each the tasks with description, file_path and acceptance_criteria, and a verify task at its end.`,
          'Check it with spec(action="validate"), then begin with lifecycle(action="activate") and task(action="next").',
        ].join("\n\n"),
    }),
    definePrompt({
      name: "next_task",
      description: "Do the next task of a spec",
      arguments: aboutSpec,
      complete,
      render: async ({ spec_id }) => {
        const { model } = await (await workspace.store()).read(spec_id);
        const next = findNextTask(model);
        if (!next.found)
          return `There is nothing to do in ${spec_id} now (${next.reason}). Say so, and stop.`;
        const { id, title, metadata } = next.node;
        return [
          `Do task ${id} of spec ${spec_id}: ${title}`,
          JSON.stringify(metadata),
          `Begin with task(action="start", spec_id="${spec_id}", task_id="${id}"). When its acceptance criteria hold, end with task(action="complete", …, note=what you did). If something is in the way, task(action="block", …, reason=what).`,
        ].join("\n\n");
      },
    }),
    definePrompt({
      name: "review_spec",
      description: "Look a spec over before work begins",
      arguments: aboutSpec,
      complete,
      render: async ({ spec_id }) => {
        const snapshot = await (await workspace.store()).read(spec_id);
        const { diagnostics } = validateSpec(snapshot.model.document);
        return [
          `Review spec ${spec_id} ("${toSpecStatus(snapshot).title}"): is every task clear, small and testable, is the order right, is anything missing?`,
          `Read it with spec(action="get", spec_id="${spec_id}"). The validator says: ${diagnostics.length === 0 ? "nothing" : JSON.stringify(groupDiagnostics(diagnostics).slice(0, 20))}`,
          "Answer with a list of changes, the most important first.",
        ].join("\n\n");
      },
    }),
  ];
}
