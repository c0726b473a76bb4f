import { ContractError } from "@foundry-mcp/contract";
import { action, type Context, defineTool, type Tool } from "@foundry-mcp/toolkit";
import { z } from "zod";
import { analyzeDependencies } from "../specs/analyze/dependencies.ts";
import { schemaValues } from "../specs/analyze/schema-values.ts";
import { type SearchHit, searchSpecs } from "../specs/analyze/search.ts";
import { toStats } from "../specs/analyze/stats.ts";
import type { Plan } from "../specs/change.ts";
import type { Edit } from "../specs/edit.ts";
import { fixSpec } from "../specs/fix/fix-spec.ts";
import { specFolders } from "../specs/spec-document.ts";
import type { SpecModel } from "../specs/spec-model.ts";
import { toValidation, validateSpec } from "../specs/validate/validate-spec.ts";
import { validateText } from "../specs/validate/validate-text.ts";
import type { SpecProblem, SpecStore, SpecSummary } from "../stores/spec-store.ts";
import { changeSpec } from "./change-spec.ts";
import {
  aboutSpec,
  changedSpec,
  payload,
  rows,
  since,
  specId,
  unchanged,
  unlessUnchanged,
} from "./parameters.ts";
import { historyActions } from "./spec/history-actions.ts";
import { toSpecRow, toSpecStatus } from "./spec-views.ts";
import type { Workspace } from "./workspace.ts";

/** Creates the tool that reads and mends specs. */
export function createSpecTool(workspace: Workspace): Tool {
  return defineTool({
    name: "spec",
    version: "1.0.0",
    description: "Specs: what is to be built, in phases and tasks",
    actions: {
      list: action({
        description: "All specs",
        input: () => z.object({ status: z.enum(specFolders).optional().describe("Only those") }),
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
        run: async ({ status }, context) => {
          const { specs, problems } = await (await workspace.store()).list();
          warnOf(problems, context);
          const matching = status === undefined ? specs : specs.filter(({ folder }) => folder === status);
          const sorted = matching.toSorted(byId);
          return {
            specs: context.page
              .sorted(sorted, { key: ({ id }) => [id], totalCount: sorted.length })
              .map(toSpecRow),
            total_count: specs.length,
            ...(status === undefined ? {} : { filtered_count: sorted.length }),
          };
        },
      }),
      get: action({
        description: "One spec, whole",
        input: () => z.object({ spec_id: specId, since }),
        output: () =>
          unlessUnchanged({
            ...aboutSpec,
            spec: z.looseObject({ id: z.string() }),
            hierarchy: z.looseObject({}),
          }),
        readOnly: true,
        cli: { command: "specs get", arguments: ["spec_id"] },
        run: async ({ spec_id, since }) => {
          const snapshot = await (await workspace.store()).read(spec_id);
          if (since === snapshot.revision) return unchanged(spec_id, snapshot.revision);
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
        description: "Where a spec is",
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
        run: async ({ spec_id }) => {
          try {
            const { folder, path } = await (await workspace.store()).read(spec_id);
            return { found: true, spec_id, path, status: folder };
          } catch (thrown) {
            if (thrown instanceof ContractError && thrown.code === "SPEC_NOT_FOUND")
              return { found: false, spec_id };
            throw thrown;
          }
        },
      }),
      validate: action({
        description: "What is wrong with a spec",
        input: () =>
          z.object({
            spec_id: specId,
            strict: z.boolean().optional().describe("Fail where it is not valid"),
          }),
        output: () =>
          payload({
            spec_id: z.string(),
            revision: z.string().nullable(),
            is_valid: z.boolean(),
            error_count: z.int(),
            warning_count: z.int(),
            info_count: z.int(),
            diagnostics: rows({ code: z.string(), severity: z.string(), message: z.string() }),
          }),
        readOnly: true,
        cli: { command: "validate check", aliases: ["validate report"], arguments: ["spec_id"] },
        run: async ({ spec_id, strict = false }) => {
          const { validation, revision } = await validate(await workspace.store(), spec_id, strict);
          if (strict && !validation.is_valid) throw invalid(spec_id, validation);
          return { spec_id, ...validation, revision };
        },
      }),
      fix: action({
        description: "Mend what needs no decision",
        input: () => z.object(changedSpec),
        output: () =>
          payload({
            ...aboutSpec,
            dry_run: z.boolean(),
            applied_count: z.int(),
            skipped_count: z.int(),
            actions: rows({ id: z.string(), description: z.string() }),
            skipped: rows({ code: z.string(), reason: z.string() }),
          }),
        idempotent: true,
        cli: { command: "validate fix", arguments: ["spec_id"] },
        run: async (input, context) => {
          const { spec_id, dry_run = false } = input;
          const fix: Plan<Pick<ReturnType<typeof fixSpec>, "actions" | "skipped">> = (
            { document },
            { now },
          ) => {
            const { edits, actions, skipped } = fixSpec(document, now);
            const stamp: readonly Edit[] =
              edits.length === 0 ? [] : [{ op: "set", path: ["last_updated"], value: now }];
            return { edits: [...edits, ...stamp], result: { actions, skipped } };
          };
          const { actions, skipped, revision } = await changeSpec(workspace, input, fix, context);
          return {
            spec_id,
            dry_run,
            applied_count: actions.length,
            skipped_count: skipped.length,
            actions,
            skipped,
            revision,
          };
        },
      }),
      stats: action({
        description: "A spec in numbers",
        input: () => z.object({ spec_id: specId }),
        output: () => payload(aboutSpec),
        readOnly: true,
        cli: { command: "validate stats", aliases: ["specs stats"], arguments: ["spec_id"] },
        run: async ({ spec_id }) => {
          const snapshot = await (await workspace.store()).read(spec_id);
          return { ...toSpecStatus(snapshot), ...statsOf(snapshot.model), file_size_bytes: snapshot.bytes };
        },
      }),
      "analyze-deps": action({
        description: "What waits for what",
        input: () =>
          z.object({
            spec_id: specId,
            bottleneck_threshold: z.int().min(1).optional().describe("Default: 3"),
          }),
        output: () => payload(aboutSpec),
        readOnly: true,
        cli: {
          command: "validate analyze-deps",
          aliases: ["specs list-blockers"],
          arguments: ["spec_id"],
          short: { bottleneck_threshold: "t" },
        },
        run: async ({ spec_id, bottleneck_threshold: bottleneckThreshold }) => {
          const { model, revision } = await (await workspace.store()).read(spec_id);
          return { spec_id, ...analyzeDependencies(model, { bottleneckThreshold }), revision };
        },
      }),
      schema: action({
        description: "Values that fields may have",
        output: () => payload({ node_types: z.array(z.string()) }),
        readOnly: true,
        cli: { command: "specs schema" },
        run: () => schemaValues,
      }),
      search: action({
        description: "Find words",
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
          const page = context.page.siblings(nameHits(hits), { id: ({ id }) => id, totalCount: hits.length });
          return { hits: page.map(({ hit }) => hit), total_count: hits.length };
        },
      }),
      ...historyActions(workspace),
    },
  });
}

/** The numbers of a spec take a walk through all of it, once for each revision. */
const stats = new WeakMap<SpecModel, ReturnType<typeof toStats>>();

/** A file that cannot be read as a spec has no revision, and is not valid. */
async function validate(store: SpecStore, id: string, strictMetadata: boolean) {
  try {
    const { model, revision } = await store.read(id);
    return { validation: validateSpec(model.document, { strictMetadata }), revision };
  } catch (thrown) {
    if (!(thrown instanceof ContractError) || thrown.code !== "INVALID_FORMAT") throw thrown;
    const text = Buffer.from(await store.readText(id)).toString();
    const validation = validateText(text, { strictMetadata });
    if (!validation.is_valid) return { validation, revision: null };
    // Bytes that are no UTF-8 are gone from a text: what the store says of them is what is wrong.
    const { message, options } = thrown;
    const finding = { code: "INVALID_JSON" as const, path: [], message, remedy: options.remediation };
    return { validation: toValidation((add) => add(finding)), revision: null };
  }
}

function statsOf(model: SpecModel): ReturnType<typeof toStats> {
  const known = stats.get(model) ?? toStats(model);
  stats.set(model, known);
  return known;
}

/** A field may hold several texts: their number among those of the field tells the hits apart. */
function nameHits(hits: readonly SearchHit[]): readonly { readonly hit: SearchHit; readonly id: string }[] {
  const counts = new Map<string, number>();
  return hits.map((hit) => {
    const { spec_id: spec, task_id: task = "", field } = hit;
    const place = `${spec}/${task}/${field}`;
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    return { hit, id: `${place}/${count}` };
  });
}

function byId(a: SpecSummary, b: SpecSummary): number {
  return a.id < b.id ? -1 : 1;
}

function warnOf(problems: readonly SpecProblem[], context: Context): void {
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

function invalid(id: string, validation: ReturnType<typeof validateSpec>): ContractError {
  const { error_count: count, diagnostics } = validation;
  return new ContractError(
    `Specification validation failed with ${count} ${count === 1 ? "error" : "errors"}`,
    {
      errorCode: "VALIDATION_ERROR",
      remediation: `Fix the errors listed in details.diagnostics; spec(action="fix", spec_id=${JSON.stringify(id)}) mends those that are auto_fixable.`,
      details: {
        spec_id: id,
        error_count: count,
        diagnostics: diagnostics.filter(({ severity }) => severity === "error"),
      },
    },
  );
}
