import { ContractError } from "@foundry-mcp/contract";
import { action, type Context, payload, rows } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { type SearchHit, searchSpecs } from "../../model/analyze/search.ts";
import { schemaValues } from "../../model/known-values.ts";
import { specFolders } from "../../model/spec-document.ts";
import type { SpecModel } from "../../model/spec-model.ts";
import { givenFilter, matchesFilter } from "../../model/work-filter.ts";
import type { SpecProblem, SpecSummary } from "../../stores/spec-store.ts";
import { readSpec, warnIfOverwritten } from "../overwritten.ts";
import { payloadOrUnchanged, since, specId, specRevision, toUnchanged, workFilter } from "../parameters.ts";
import { toSpecRow, toSpecStatus } from "../spec-views.ts";
import type { Workspace } from "../workspace.ts";

/** A checkout may overwrite every spec of a long list; the others warn when they are read. */
const maxOverwrittenWarnings = 10;

/** Creates the actions of `spec` that find and show specs. */
export function readActions(workspace: Workspace) {
  return {
    list: action({
      description: "List specs",
      input: () =>
        z.object({
          status: z.enum(specFolders).optional().describe("Only this folder"),
          ...workFilter,
        }),
      output: () =>
        payload({
          specs: rows({
            id: z.string(),
            title: z.string(),
            status: z.string(),
            progress: z.looseObject({}),
          }),
          total_count: z.int(),
          filtered_count: z.int().optional(),
        }),
      readOnly: true,
      page: { default: 50, max: 1_000, of: "Specs" },
      cli: { command: "specs find", aliases: ["specs list"], short: { status: "s" } },
      run: async ({ status, ...planning }, context) => {
        const { specs, problems } = await (await workspace.store()).list();
        warnOfProblems(problems, context);
        const filter = givenFilter(planning);
        const matching = specs.filter(
          ({ folder, planning: own = {} }) =>
            (status === undefined || folder === status) &&
            (filter === undefined || matchesFilter(filter, own)),
        );
        const sorted = matching.toSorted(byId);
        const page = context.page.sorted(sorted, { key: ({ id }) => [id], totalCount: sorted.length });
        const overwritten = page.filter((spec) => spec.overwritten !== undefined);
        for (const spec of overwritten.slice(0, maxOverwrittenWarnings)) warnIfOverwritten(spec, context);
        return {
          specs: page.map(toSpecRow),
          total_count: specs.length,
          ...(status === undefined && filter === undefined ? {} : { filtered_count: sorted.length }),
        };
      },
    }),
    get: action({
      description: "Get a spec with its phases and tasks",
      input: () => z.object({ spec_id: specId, since }),
      output: () =>
        payloadOrUnchanged({
          ...specRevision,
          spec: z.looseObject({ id: z.string() }),
          hierarchy: z.looseObject({}),
        }),
      readOnly: true,
      cli: { command: "specs get", arguments: ["spec_id"] },
      run: async ({ spec_id, since }, context) => {
        const snapshot = await readSpec(workspace, spec_id, context);
        if (since === snapshot.revision) return toUnchanged(spec_id, snapshot.revision);
        const { hierarchy, spec_id: _, ...fields } = snapshot.model.document;
        const { title, status, progress, revision } = toSpecStatus(snapshot);
        return {
          spec: { ...fields, id: spec_id, title, status, progress },
          spec_id,
          hierarchy: hierarchy as object,
          revision,
        };
      },
    }),
    find: action({
      description: "Find the file of a spec",
      input: () => z.object({ spec_id: specId }),
      output: () =>
        payload({
          found: z.boolean(),
          spec_id: z.string(),
          path: z.string().optional(),
          status: z.string().optional(),
        }),
      readOnly: true,
      cli: { command: "specs locate", arguments: ["spec_id"] },
      run: async ({ spec_id }, context) => {
        try {
          const { folder, path } = await readSpec(workspace, spec_id, context);
          return { found: true, spec_id, path, status: folder };
        } catch (thrown) {
          if (thrown instanceof ContractError && thrown.code === "SPEC_NOT_FOUND")
            return { found: false, spec_id };
          throw thrown;
        }
      },
    }),
    schema: action({
      description: "List the allowed values of spec fields",
      output: () => payload({ node_types: z.array(z.string()) }),
      readOnly: true,
      cli: { command: "specs schema" },
      run: () => schemaValues,
    }),
    search: action({
      description: "Search the texts of specs",
      input: () =>
        z.object({
          query: z.string().min(1).max(500).describe("Words that must all occur"),
          spec_id: specId.optional().describe("Only this spec"),
        }),
      output: () =>
        payload({
          hits: rows({ spec_id: z.string(), field: z.string(), snippet: z.string() }),
          total_count: z.int(),
        }),
      readOnly: true,
      page: { default: 25, max: 500, of: "Hits" },
      cli: { command: "specs search", arguments: ["query"] },
      run: async ({ query, spec_id }, context) => {
        const store = await workspace.store();
        const ids =
          spec_id === undefined ? (await store.list()).specs.toSorted(byId).map(({ id }) => id) : [spec_id];
        const models: SpecModel[] = [];
        for (const id of ids) models.push((await store.read(id)).model);
        const hits = [...searchSpecs(models, query)];
        const page = context.page.siblings(withIds(hits), { id: ({ id }) => id, totalCount: hits.length });
        return { hits: page.map(({ hit }) => hit), total_count: hits.length };
      },
    }),
  };
}

/** Adds an id to each hit. A field may have several texts, so that the id ends in the number of the hit in its field. */
function withIds(hits: readonly SearchHit[]): readonly { readonly hit: SearchHit; readonly id: string }[] {
  const counts = new Map<string, number>();
  return hits.map((hit) => {
    const { spec_id: spec, task_id: task = "", field } = hit;
    const fieldId = `${spec}/${task}/${field}`;
    const count = (counts.get(fieldId) ?? 0) + 1;
    counts.set(fieldId, count);
    return { hit, id: `${fieldId}/${count}` };
  });
}

function byId(a: SpecSummary, b: SpecSummary): number {
  return a.id < b.id ? -1 : 1;
}

function warnOfProblems(problems: readonly SpecProblem[], context: Context): void {
  if (problems.length === 0) return;
  const [first] = problems;
  const more = problems.length === 1 ? "" : `, and ${problems.length - 1} more`;
  context.warn(
    "PARTIAL_FAILURE",
    `${problems.length === 1 ? "1 file" : `${problems.length} files`} cannot be read as ${problems.length === 1 ? "a spec" : "specs"}: ${first?.path}${more}`,
    {
      problems: problems.slice(0, 20),
    },
  );
}
