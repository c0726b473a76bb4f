import { action, payload, rows } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import type { SpecReader } from "../../stores/spec-store.ts";
import { claimListView } from "../../views/claim-list-view.ts";
import { readSpec } from "../overwritten.ts";
import { specId } from "../parameters.ts";
import type { Workspace } from "../workspace.ts";
import { activeSpecs } from "./active-specs.ts";

const claim = () => ({
  spec_id: z.string(),
  task_id: z.string(),
  title: z.string(),
  holder: z.string(),
  since: z.string(),
  lease_until: z.string(),
  status: z.enum(["active", "expired"]),
});

/** Creates the action of `task` that lists who works on what. The tokens of the claims stay secret. */
export function claimsAction(workspace: Workspace) {
  return {
    claims: action({
      description: "List claims and their holders",
      input: () => z.object({ spec_id: specId.optional() }),
      output: () => payload({ claims: rows(claim()), total_count: z.int() }),
      readOnly: true,
      page: { default: 50, max: 500, of: "Claims" },
      cli: { command: "tasks claims", arguments: ["spec_id"], show: viewOf(() => claimListView) },
      run: async ({ spec_id }, context) => {
        const store = await workspace.store();
        const ids =
          spec_id === undefined
            ? (await activeSpecs(store)).map(({ id }) => id)
            : [(await readSpec(workspace, spec_id, context)).id];
        const now = new Date().toISOString();
        const all = (await Promise.all(ids.map((id) => claimsOf(store, id, now)))).flat();
        const sorted = all.toSorted((a, b) => (a.since === b.since ? 0 : a.since < b.since ? 1 : -1));
        const claims = context.page.siblings(sorted, {
          id: ({ spec_id: spec, task_id: task }) => `${spec}/${task}`,
          totalCount: sorted.length,
        });
        return { claims, total_count: sorted.length };
      },
    }),
  };
}

async function claimsOf(store: SpecReader, specId: string, now: string) {
  const leases = await store.leases(specId);
  if (leases.size === 0) return [];
  const { model } = await store.read(specId);
  return [...leases.values()].map(({ task_id, holder, since, until }) => ({
    spec_id: specId,
    task_id,
    title: model.node(task_id)?.title ?? task_id,
    holder,
    since,
    lease_until: until,
    status: until > now ? ("active" as const) : ("expired" as const),
  }));
}
