import { ContractError } from "@foundry-mcp/contract";
import { action, type Context, payload, rows } from "@foundry-mcp/toolkit";
import { z } from "zod";
import type { Edit } from "../../../files/json-text/edit.ts";
import { analyzeDependencies } from "../../model/analyze/analyze-dependencies.ts";
import { toStats } from "../../model/analyze/stats.ts";
import type { Plan } from "../../model/change.ts";
import { guardChangedTasks } from "../../model/claims/claim-guard.ts";
import { fixSpec } from "../../model/fix/fix-spec.ts";
import type { SpecModel } from "../../model/spec-model.ts";
import type { Diagnostic } from "../../model/validate/diagnostics.ts";
import { type DiagnosticGroup, groupDiagnostics } from "../../model/validate/group-diagnostics.ts";
import { toValidation, validateSpec, validateText } from "../../model/validate/validate-spec.ts";
import { changeSpec } from "../change-spec.ts";
import { memoize } from "../list-cache.ts";
import { readSpec } from "../overwritten.ts";
import { claimFields, specChangeFields, specId, specRevision } from "../parameters.ts";
import { toSpecStatus } from "../spec-views.ts";
import type { Workspace } from "../workspace.ts";

/** Creates the actions of `spec` that validate, fix and measure specs. */
export function qualityActions(workspace: Workspace) {
  return {
    validate: action({
      description: "Check a spec for errors",
      input: () =>
        z.object({
          spec_id: specId,
          strict: z.boolean().optional().describe("Fail if it is invalid"),
          detail: z.boolean().optional().describe("List equal diagnostics one by one"),
        }),
      output: () =>
        payload({
          spec_id: z.string(),
          revision: z.string().nullable(),
          is_valid: z.boolean(),
          error_count: z.int(),
          warning_count: z.int(),
          info_count: z.int(),
          diagnostics: rows({ code: z.string(), severity: z.string(), message: z.string(), count: z.int() }),
        }),
      readOnly: true,
      cli: { command: "validate check", aliases: ["validate report"], arguments: ["spec_id"] },
      run: async ({ spec_id, strict = false, detail = false }, context) => {
        const { validation, revision } = await validate(workspace, spec_id, strict, context);
        const diagnostics = toRows(spec_id, validation.diagnostics, detail, context);
        if (strict && !validation.is_valid) throw invalid(spec_id, validation.error_count, diagnostics);
        return { spec_id, ...validation, diagnostics, revision };
      },
    }),
    fix: action({
      description: "Repair errors that need no decision",
      input: () => z.object({ ...specChangeFields, force: claimFields.force }),
      output: () =>
        payload({
          ...specRevision,
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
        const { actions, skipped, revision } = await changeSpec(
          workspace,
          input,
          guardChangedTasks(input, "fix", fix),
          context,
        );
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
      description: "Count phases, tasks and statuses of a spec",
      input: () => z.object({ spec_id: specId }),
      output: () => payload(specRevision),
      readOnly: true,
      cli: { command: "validate stats", aliases: ["specs stats"], arguments: ["spec_id"] },
      run: async ({ spec_id }, context) => {
        const snapshot = await readSpec(workspace, spec_id, context);
        const numbers = memoize(statsByModel, snapshot.model, () => toStats(snapshot.model));
        return { ...toSpecStatus(snapshot), ...numbers, file_size_bytes: snapshot.bytes };
      },
    }),
    "analyze-deps": action({
      description: "Find bottlenecks and cycles of dependencies",
      input: () =>
        z.object({
          spec_id: specId,
          bottleneck_threshold: z.int().min(1).optional().describe("Default: 3"),
        }),
      output: () => payload(specRevision),
      readOnly: true,
      cli: {
        command: "validate analyze-deps",
        aliases: ["specs list-blockers"],
        arguments: ["spec_id"],
        short: { bottleneck_threshold: "t" },
      },
      run: async ({ spec_id, bottleneck_threshold: bottleneckThreshold }, context) => {
        const { model, revision } = await readSpec(workspace, spec_id, context);
        return { spec_id, ...analyzeDependencies(model, { bottleneckThreshold }), revision };
      },
    }),
  };
}

/** The statistics by revision, because they need a walk through the whole spec. */
const statsByModel = new WeakMap<SpecModel, ReturnType<typeof toStats>>();

/** Validates a spec; a file that cannot be parsed is invalid and has no revision. */
async function validate(workspace: Workspace, id: string, strictMetadata: boolean, context: Context) {
  try {
    const { model, revision } = await readSpec(workspace, id, context);
    return { validation: validateSpec(model.document, { strictMetadata }), revision };
  } catch (thrown) {
    if (!(thrown instanceof ContractError) || thrown.code !== "INVALID_FORMAT") throw thrown;
    const text = Buffer.from(await (await workspace.store()).readText(id)).toString();
    const validation = validateText(text, { strictMetadata });
    if (!validation.is_valid) return { validation, revision: null };
    // Decoding replaces invalid UTF-8, so that only the error of the store reports it.
    const { message, remediation: remedy } = thrown;
    const finding = { code: "INVALID_JSON" as const, path: [], message, remedy };
    return { validation: toValidation((add) => add(finding)), revision: null };
  }
}

/** Converts diagnostics to rows: equal ones as one unless each is wanted, with the call that helps as it is typed. */
function toRows(
  spec_id: string,
  diagnostics: readonly Diagnostic[],
  isDetailed: boolean,
  { describeRemedy }: Context,
): readonly DiagnosticGroup[] {
  const groups = isDetailed
    ? diagnostics.map((each) => ({ ...each, count: 1 }))
    : groupDiagnostics(diagnostics);
  return groups.map((row) => {
    if (row.remedy === undefined) return row;
    const remedy = { ...row.remedy, arguments: { spec_id, ...row.remedy.arguments } };
    const fix = [row.suggested_fix, `Call ${describeRemedy(remedy)}.`].filter((text) => text !== undefined);
    return { ...row, suggested_fix: fix.join(" "), remedy };
  });
}

function invalid(id: string, count: number, diagnostics: readonly DiagnosticGroup[]): ContractError {
  return new ContractError(
    `Specification validation failed with ${count} ${count === 1 ? "error" : "errors"}`,
    {
      errorCode: "VALIDATION_ERROR",
      remediation: "Fix the errors listed in details.diagnostics; {1} fixes those that are auto_fixable.",
      remedy: { tool: "spec", action: "fix", arguments: { spec_id: id } },
      details: {
        spec_id: id,
        error_count: count,
        diagnostics: diagnostics.filter(({ severity }) => severity === "error"),
      },
    },
  );
}
