import { ContractError } from "@foundry-mcp/contract";
import { action, type Context, payload, rows } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
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
import {
  toValidation,
  type Validation,
  validateSpec,
  validateText,
} from "../../model/validate/validate-spec.ts";
import { statsView } from "../../views/stats-view.ts";
import { dependencyAnalysisView, fixView, validationView } from "../../views/validation-view.ts";
import { claimFields, specChangeFields } from "../change-parameters.ts";
import { changeSpec } from "../change-spec.ts";
import { memoize } from "../list-cache.ts";
import { readSpec } from "../overwritten.ts";
import { specId } from "../parameters.ts";
import { specRevision } from "../payload-parts.ts";
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
          strict: z.boolean().optional().describe("Fail if invalid"),
          detail: z.boolean().optional().describe("List equal diagnostics separately"),
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
          unlisted_count: z.int().optional(),
        }),
      readOnly: true,
      cli: {
        command: "validate check",
        aliases: ["validate report", "specs validate"],
        arguments: ["spec_id"],
        show: viewOf(() => validationView),
      },
      run: async ({ spec_id, strict = false, detail = false }, context) => {
        const { validation, revision } = await validate(workspace, spec_id, strict, context);
        const diagnostics = toRows(spec_id, validation.diagnostics, detail, context);
        if (strict && !validation.is_valid) throw invalid(spec_id, validation, diagnostics);
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
      cli: {
        command: "validate fix",
        aliases: ["specs fix"],
        arguments: ["spec_id"],
        show: viewOf(() => fixView),
      },
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
      description: "Count phases, and tasks by status",
      input: () => z.object({ spec_id: specId }),
      output: () => payload(specRevision),
      readOnly: true,
      cli: {
        command: "validate stats",
        aliases: ["specs stats"],
        arguments: ["spec_id"],
        show: viewOf(() => statsView),
      },
      run: async ({ spec_id }, context) => {
        const snapshot = await readSpec(workspace, spec_id, context);
        const numbers = memoize(statsByModel, snapshot.model, () => toStats(snapshot.model));
        return { ...toSpecStatus(snapshot), ...numbers, file_size_bytes: snapshot.bytes };
      },
    }),
    "analyze-deps": action({
      description: "Find bottlenecks and dependency cycles",
      input: () =>
        z.object({
          spec_id: specId,
          bottleneck_threshold: z
            .int()
            .min(1)
            .optional()
            .describe("Default: 3. Number of dependent tasks that makes a bottleneck"),
        }),
      output: () => payload(specRevision),
      readOnly: true,
      cli: {
        command: "validate analyze-deps",
        arguments: ["spec_id"],
        short: { bottleneck_threshold: "t" },
        show: viewOf(() => dependencyAnalysisView),
      },
      run: async ({ spec_id, bottleneck_threshold: bottleneckThreshold }, context) => {
        const { model, revision } = await readSpec(workspace, spec_id, context);
        return { spec_id, ...analyzeDependencies(model, { bottleneckThreshold }), revision };
      },
    }),
  };
}

/**
 * The statistics of each revision. The statistics are cached, because computing them visits all nodes of the
 * spec.
 */
const statsByModel = new WeakMap<SpecModel, ReturnType<typeof toStats>>();

/** Validates a spec. A file that cannot be parsed is invalid and has no revision. */
async function validate(workspace: Workspace, id: string, strictMetadata: boolean, context: Context) {
  try {
    const { model, revision } = await readSpec(workspace, id, context);
    return { validation: validateSpec(model.document, { strictMetadata }), revision };
  } catch (thrown) {
    if (!(thrown instanceof ContractError) || thrown.code !== "INVALID_FORMAT") throw thrown;
    const text = Buffer.from(await (await workspace.store()).readText(id)).toString();
    const validation = validateText(text, { strictMetadata });
    // The decoded text no longer shows some faults of the bytes, such as invalid UTF-8. Therefore, the error of the
    // store is reported if it names a line. Everything else could only be read without that fault.
    const { line } = (thrown.options.details ?? {}) as { readonly line?: number };
    const isReported = validation.diagnostics.some(({ code }) => code === "INVALID_JSON");
    if (!validation.is_valid && (isReported || line === undefined)) return { validation, revision: null };
    const remedy = line === undefined ? thrown.remediation : `Correct line ${line} of the file.`;
    const finding = { code: "INVALID_JSON" as const, path: [], message: thrown.message, remedy };
    return { validation: toValidation((add) => add(finding)), revision: null };
  }
}

/**
 * Converts diagnostics to rows. Equal diagnostics become one row, unless the caller requests every diagnostic. Each
 * row contains the call that helps, in the form in which it is typed.
 */
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

function invalid(
  id: string,
  { error_count: count, unlisted_count }: Validation,
  diagnostics: readonly DiagnosticGroup[],
): ContractError {
  return new ContractError(
    `Specification validation failed with ${count} ${count === 1 ? "error" : "errors"}`,
    {
      errorCode: "VALIDATION_ERROR",
      remediation:
        "Fix the errors in the list of diagnostics; {1} fixes those that can be fixed automatically.",
      remedy: { tool: "spec", action: "fix", arguments: { spec_id: id } },
      details: {
        spec_id: id,
        error_count: count,
        diagnostics: diagnostics.filter(({ severity }) => severity === "error"),
        ...(unlisted_count === undefined ? {} : { unlisted_count }),
      },
    },
  );
}
