import { action, defineTool, type Tool } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { addPhase, addPhaseBulk } from "../specs/changes/add-phase.ts";
import { createSpec, newSpecId } from "../specs/new-spec.ts";
import { specFolders } from "../specs/spec-document.ts";
import { linkPrevious, phaseFields, position, text, work } from "./authoring-parameters.ts";
import { changeSpec } from "./change-spec.ts";
import { aboutSpec, changedSpec, dryRun, payload } from "./parameters.ts";
import { toSpecStatus } from "./spec-views.ts";
import type { Workspace } from "./workspace.ts";

/** Creates the tool that specs are written with. */
export function createAuthoringTool(workspace: Workspace): Tool {
  return defineTool({
    name: "authoring",
    version: "1.0.0",
    description: "Write specs: new ones, and new phases",
    actions: {
      "spec-create": action({
        description: "A new spec",
        input: () =>
          z.object({
            name: z.string().min(1).describe("Its title; the id follows from it"),
            description: text,
            mission: text.describe("What it is for"),
            category: text,
            owner: text,
            status: z.enum(specFolders).optional().describe("Where it begins (default: pending)"),
            phases: z.array(z.object({ ...phaseFields, tasks: z.array(work).optional() })).optional(),
            dry_run: dryRun,
          }),
        output: () => payload({ spec_id: z.string(), title: z.string(), status: z.string() }),
        parameterAliases: { title: "name" },
        cli: { command: "specs create", arguments: ["name"] },
        run: async ({ name, status = "pending", dry_run = false, ...input }, context) => {
          const store = await workspace.store();
          const now = new Date().toISOString();
          const taken = new Set((await store.list()).specs.map(({ id }) => id));
          const id = newSpecId(name, now, (each) => taken.has(each));
          const author = context.client.name;
          const { document } = createSpec(id, { title: name, ...input } as never, { now, author });
          if (dry_run) return { spec_id: id, title: name, status, dry_run };
          const snapshot = await store.create(id, document, status);
          return { ...toSpecStatus(snapshot), path: snapshot.path };
        },
      }),
      "phase-add": action({
        description: "A new phase",
        input: () => z.object({ ...changedSpec, ...phaseFields, position, link_previous: linkPrevious }),
        output: () => payload({ ...aboutSpec, phase_id: z.string() }),
        cli: { command: "modify add-phase", aliases: ["modify phase-add"], arguments: ["spec_id"] },
        run: ({ spec_id, if_revision, dry_run, ...phase }, context) =>
          changeSpec(workspace, { spec_id, if_revision, dry_run }, addPhase(phase), context),
      }),
      "phase-add-bulk": action({
        description: "A new phase with its tasks",
        input: () =>
          z.object({
            ...changedSpec,
            phase: z.object({
              ...phaseFields,
              position: z.int().min(0).optional(),
              link_previous: z.boolean().optional(),
            }),
            tasks: z.array(work).min(1).describe("As task(action=add) takes them, without parent"),
          }),
        output: () => payload({ ...aboutSpec, phase_id: z.string() }),
        cli: { command: "modify add-phase-bulk", arguments: ["spec_id"] },
        run: ({ spec_id, if_revision, dry_run, phase, tasks }, context) =>
          changeSpec(
            workspace,
            { spec_id, if_revision, dry_run },
            addPhaseBulk({ phase, tasks } as never),
            context,
          ),
      }),
    },
  });
}
