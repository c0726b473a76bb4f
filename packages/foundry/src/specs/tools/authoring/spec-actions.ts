import { action, payload } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { createSpec, newSpecId } from "../../model/changes/create-spec.ts";
import { specFolders } from "../../model/spec-document.ts";
import { phaseFields, specTexts, work } from "../authoring-parameters.ts";
import { repeatedCallWarning, toChangeOptions } from "../change-spec.ts";
import { specRevision, specChangeFields, dryRun, idempotencyKey } from "../parameters.ts";
import { toSpecStatus } from "../spec-views.ts";
import type { Workspace } from "../workspace.ts";
import { authoringOperations } from "./authoring-operations.ts";
import { runOperation } from "./operation.ts";

/** The actions of `authoring` that are about a spec itself. */
export function specActions(workspace: Workspace) {
  const update = authoringOperations["spec-update"];
  return {
    "spec-create": action({
      description: "A new spec",
      input: () =>
        z.object({
          name: z.string().min(1).describe("Its title; the id follows from it"),
          ...specTexts,
          status: z.enum(specFolders).optional().describe("Where it begins (default: pending)"),
          phases: z.array(z.object({ ...phaseFields, tasks: z.array(work).optional() })).optional(),
          dry_run: dryRun,
          idempotency_key: idempotencyKey,
        }),
      output: () => payload({ spec_id: z.string(), title: z.string(), status: z.string() }),
      parameterAliases: { title: "name" },
      cli: { command: "specs create", arguments: ["name"] },
      run: async (asked, context) => {
        const { name, status = "pending", dry_run = false, idempotency_key: _, ...input } = asked;
        const store = await workspace.store();
        const now = new Date().toISOString();
        const taken = new Set((await store.list()).specs.map(({ id }) => id));
        const id = newSpecId(name, now, (each) => taken.has(each));
        const { author = "", action, key } = toChangeOptions({ spec_id: "", ...asked }, context);
        const { document } = createSpec(id, { title: name, ...input } as never, { now, author });
        if (dry_run) return { spec_id: id, title: name, status, dry_run };
        const snapshot = await store.create(id, document, status, { author, action, key });
        if (snapshot.id !== id) context.warn(repeatedCallWarning);
        return { ...toSpecStatus(snapshot), path: snapshot.path };
      },
    }),
    "spec-update": action({
      description: "Change what a spec says of itself",
      input: () => z.object({ ...specChangeFields, ...update.fields() }),
      output: () => payload({ ...specRevision, fields_updated: z.array(z.string()) }),
      aliases: ["spec-update-frontmatter"],
      idempotent: true,
      cli: { command: "modify update-spec", aliases: ["modify frontmatter"], arguments: ["spec_id"] },
      run: runOperation(workspace, update),
    }),
  };
}
