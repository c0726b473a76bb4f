import { programName } from "../program/program-name.ts";
import { createSpec, newSpecId } from "../specs/model/changes/create-spec.ts";
import type { SpecDocument } from "../specs/model/spec-document.ts";

/** Creates the sample spec of a new workspace. */
export function sampleSpec(now: string): { readonly id: string; readonly document: SpecDocument } {
  const id = newSpecId("First steps", now, () => false);
  const { document } = createSpec(
    id,
    {
      title: "First steps",
      description: "A sample: work through it, or throw it away.",
      mission: "See how specs, tasks and their order work",
      phases: [
        {
          title: "Look around",
          purpose: "Know what there is",
          tasks: [
            {
              title: "List the specs",
              description: `${programName} specs find`,
              task_category: "investigation",
              acceptance_criteria: ["This spec is in the list"],
            },
            {
              title: "See what is next",
              description: `${programName} tasks next ${id}`,
              task_category: "investigation",
              acceptance_criteria: ["It names a task"],
            },
          ],
        },
        {
          title: "Do something",
          purpose: "Bring a task to its end",
          tasks: [
            {
              title: "Complete a task",
              description: `${programName} tasks complete ${id} task-1-1 --note "Done"`,
              task_category: "implementation",
              file_path: "specs",
              acceptance_criteria: ["tasks progress says so"],
            },
            {
              title: "Check the spec",
              type: "verify",
              description: `${programName} validate check ${id}`,
              verification_type: "manual",
              command: `${programName} validate check ${id}`,
            },
          ],
        },
      ],
    },
    { now, author: "foundry-mcp" },
  );
  return { id, document };
}
