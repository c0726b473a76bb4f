import { ContractError } from "@foundry-mcp/contract";
import { action, type Context, payload, rows } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import { type SearchHit, searchSpecs } from "../../model/analyze/search.ts";
import { changesSince } from "../../model/diff/changes-since.ts";
import { schemaValues } from "../../model/known-values.ts";
import { specFolders } from "../../model/spec-document.ts";
import type { SpecModel } from "../../model/spec-model.ts";
import { givenFilter, matchesFilter } from "../../model/work-filter.ts";
import type { SpecProblem, SpecSnapshot, SpecSummary, TrashedSpec } from "../../stores/spec-store.ts";
import { searchView } from "../../views/search-view.ts";
import { locateView } from "../../views/spec-change-view.ts";
import { specListView } from "../../views/spec-list-view.ts";
import { specView } from "../../views/spec-view.ts";
import { readSpec, warnIfOverwritten } from "../overwritten.ts";
import { since, specId } from "../parameters.ts";
import { payloadOrUnchanged, specRevision, toUnchanged } from "../payload-parts.ts";
import { workFilter } from "../planning-parameters.ts";
import { toSpecRow, toSpecStatus } from "../spec-views.ts";
import type { Workspace } from "../workspace.ts";
import { createSentRevisions } from "./sent-revisions.ts";

/**
 * The maximum number of warnings about overwritten revisions in a list of specs or hits. The number is limited,
 * because a checkout may overwrite every spec. The warnings about other specs are returned when these specs are read.
 */
const maxOverwrittenWarnings = 10;

/** Creates the actions of `spec` that find and show specs. */
export function readActions(workspace: Workspace) {
  const sent = createSentRevisions();
  return {
    list: action({
      description: "List specs",
      input: () =>
        z.object({
          status: z.enum(specFolders).optional().describe("Only this folder"),
          trash: z.boolean().optional().describe("Only deleted specs"),
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
      cli: {
        command: "specs find",
        aliases: ["specs list"],
        short: { status: "s" },
        show: viewOf(() => specListView),
      },
      run: async ({ status, trash = false, ...planning }, context) => {
        const store = await workspace.store();
        const { specs, problems } = trash ? { specs: await store.trash(), problems: [] } : await store.list();
        warnOfProblems(problems, context);
        const filter = givenFilter(planning);
        const matching = specs.filter(
          ({ folder, planning: own = {} }) =>
            (status === undefined || folder === status) &&
            (filter === undefined || matchesFilter(filter, own)),
        );
        const sorted = matching.toSorted(byId);
        const page = context.page.sorted(sorted, { key: ({ id }) => [id], totalCount: sorted.length });
        warnOfAllOverwritten(page, context);
        return {
          specs: page.map((spec) => ({ ...toSpecRow(spec), ...toDeletion(spec) })),
          total_count: specs.length,
          ...(status === undefined && filter === undefined ? {} : { filtered_count: sorted.length }),
        };
      },
    }),
    get: action({
      description: "Get a spec",
      input: () =>
        z.object({
          spec_id: specId,
          since,
          changes_only: z.boolean().optional().describe("With since: only changed nodes"),
        }),
      output: () =>
        payloadOrUnchanged({
          ...specRevision,
          spec: z.looseObject({ id: z.string() }),
          hierarchy: z.looseObject({}).optional(),
          changes: z.looseObject({ removed: z.array(z.string()) }).optional(),
        }),
      readOnly: true,
      cli: {
        command: "specs get",
        aliases: ["specs show"],
        arguments: ["spec_id"],
        show: viewOf(() => specView),
      },
      run: async ({ spec_id, since, changes_only = false }, context) => {
        const snapshot = await readSpec(workspace, spec_id, context);
        if (since === snapshot.revision) return toUnchanged(spec_id, snapshot.revision);
        const { title, status, progress, revision } = toSpecStatus(snapshot);
        const before =
          changes_only && since !== undefined
            ? await sent.find(await workspace.store(), spec_id, since)
            : undefined;
        sent.remember(snapshot);
        if (before !== undefined) {
          const changes = changesSince(before, snapshot.model);
          const spec = { id: spec_id, title, status, progress };
          return { spec, spec_id, from_revision: since, changes, revision };
        }
        const { hierarchy, spec_id: _, ...fields } = snapshot.model.document;
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
      cli: { command: "specs locate", arguments: ["spec_id"], show: viewOf(() => locateView) },
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
      description: "List allowed values of spec fields",
      output: () => payload({ node_types: z.array(z.string()) }),
      readOnly: true,
      cli: { command: "specs schema" },
      run: () => schemaValues,
    }),
    search: action({
      description: "Search the texts of specs",
      input: () =>
        z.object({
          query: z.string().min(1).max(500).describe("Words that must all occur in one text"),
          spec_id: specId.optional().describe("Only this spec"),
        }),
      output: () =>
        payload({
          hits: rows({ spec_id: z.string(), field: z.string(), snippet: z.string() }),
          total_count: z.int(),
        }),
      readOnly: true,
      page: { default: 25, max: 500, of: "Hits" },
      cli: { command: "specs search", arguments: ["query"], show: viewOf(() => searchView) },
      run: async ({ query, spec_id }, context) => {
        const store = await workspace.store();
        const ids =
          spec_id === undefined ? (await store.list()).specs.toSorted(byId).map(({ id }) => id) : [spec_id];
        const models: SpecModel[] = [];
        const overwritten: SpecSnapshot[] = [];
        for (const id of ids) {
          const snapshot = await store.read(id);
          models.push(snapshot.model);
          if (snapshot.overwritten !== undefined) overwritten.push(snapshot);
        }
        const hits = [...searchSpecs(models, query)];
        const page = context.page.siblings(withIds(hits), { id: ({ id }) => id, totalCount: hits.length });
        const shown = new Set(spec_id === undefined ? page.map(({ hit }) => hit.spec_id) : ids);
        warnOfAllOverwritten(
          overwritten.filter(({ id }) => shown.has(id)),
          context,
        );
        return { hits: page.map(({ hit }) => hit), total_count: hits.length };
      },
    }),
  };
}

/** Returns the time at which a spec in the trash was deleted, and the author of the deletion. */
function toDeletion(spec: SpecSummary | TrashedSpec) {
  return "author" in spec ? { deleted_at: spec.at, deleted_by: spec.author } : {};
}

/**
 * Adds an id to each hit. A field may contain several texts, so the id ends with the number of the hit in its
 * field.
 */
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

/** Warns about the first specs of an answer whose revisions another program replaced. */
function warnOfAllOverwritten(
  specs: readonly Pick<SpecSnapshot, "id" | "overwritten">[],
  context: Context,
): void {
  const overwritten = specs.filter((spec) => spec.overwritten !== undefined);
  for (const spec of overwritten.slice(0, maxOverwrittenWarnings)) warnIfOverwritten(spec, context);
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
