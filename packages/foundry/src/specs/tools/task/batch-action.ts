import { action, type Context, payload, rows } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import type { Plan } from "../../model/change.ts";
import { type BatchResult, claimBatch } from "../../model/claims/claim-batch.ts";
import type { ClaimInput } from "../../model/claims/claim-task.ts";
import { rootId } from "../../model/spec-document.ts";
import { progressOf, type SpecModel } from "../../model/spec-model.ts";
import { givenFilter, type WorkFilter } from "../../model/work-filter.ts";
import { taskBatchView } from "../../views/task-card-view.ts";
import { type ChangeInput, changeSpec } from "../change-spec.ts";
import { readSpec } from "../overwritten.ts";
import { specId } from "../parameters.ts";
import { workFilter } from "../planning-parameters.ts";
import type { Workspace } from "../workspace.ts";
import { requireSpecFor, searchSpecs } from "./active-specs.ts";
import { keyNeedsSpec } from "./claim-actions.ts";
import { claimOptions } from "./claim-parameters.ts";
import { contextTokens, warnIfShortened } from "./fit-to-tokens.ts";
import { findUnclaimedTask, readNoTask, toNoTask, toTaskFilter, withRemediation } from "./next-view.ts";
import type { OwnClaims } from "./own-claims.ts";
import { toWork } from "./work-context.ts";

const defaultTasks = 3;
const maxTasks = 20;
/**
 * The maximum number of tokens for all tasks of a response. The number is smaller than the default budget,
 * because fitting a larger response to that budget would remove the claim tokens.
 */
const batchTokens = 15_000;

interface BatchActionInput extends ClaimInput, ChangeInput {
  readonly max_tasks?: number | undefined;
}

/** Creates the action of `task` that claims several tasks in one call. */
export function batchAction(workspace: Workspace, claims: OwnClaims) {
  return {
    "prepare-batch": action({
      description: "Claim several ready tasks that touch different files",
      input: () =>
        z.object({
          spec_id: specId.optional(),
          max_tasks: z
            .int()
            .min(1)
            .max(maxTasks)
            .optional()
            .describe("Default: 3. Maximum number of tasks to claim"),
          ...claimOptions,
          ...workFilter,
        }),
      output: () =>
        payload({
          found: z.boolean(),
          spec_id: z.string().optional(),
          revision: z.string().optional(),
          tasks: rows({ task_id: z.string(), claim_token: z.string(), lease_until: z.string() }),
        }),
      cli: { command: "tasks prepare-batch", arguments: ["spec_id"], show: viewOf(() => taskBatchView) },
      run: async (input, context) => {
        requireSpecFor(input, keyNeedsSpec);
        const filter = givenFilter(input);
        const answer = await searchSpecs(workspace, input.spec_id, filter, async (spec_id) => {
          if (input.spec_id === undefined) {
            const snapshot = await readSpec(workspace, spec_id, context);
            const next = await findUnclaimedTask(workspace, snapshot, filter);
            if (!next.found) return readNoTask(workspace, snapshot, next.reason, filter);
          }
          return changeSpec(
            workspace,
            { ...input, spec_id },
            planBatch({ ...input, spec_id }, filter, context),
            context,
          );
        });
        claims.remember(context, answer);
        if ("tasks" in answer) for (const task of answer.tasks) warnIfShortened(task, context);
        // A response without tasks contains an empty list, so that the member `tasks` is always present.
        return { tasks: [], ...withRemediation(answer, context.describeRemedy) };
      },
    }),
  };
}

type BatchAnswer = ReturnType<typeof toBatch> | ReturnType<typeof toNoTask>;

function planBatch(
  input: BatchActionInput,
  filter: WorkFilter | undefined,
  { maxTokens, requestedTokens }: Context,
): Plan<BatchAnswer> {
  const { max_tasks = defaultTasks, spec_id } = input;
  const sent = maxTokens === 0 ? Number.POSITIVE_INFINITY : maxTokens * 0.8;
  const tokens =
    requestedTokens === undefined
      ? { all: Math.min(batchTokens, sent), each: contextTokens }
      : { all: sent, each: Number.POSITIVE_INFINITY };
  const plan = claimBatch({ ...input, max_tasks, matches: toTaskFilter(filter) });
  return (spec, context) => {
    const { result, ...change } = plan(spec, context);
    if (!result.found)
      return { ...change, result: toNoTask(spec_id, spec, result.reason, { ...context, filter }) };
    return { ...change, result: toBatch(spec_id, spec, result, tokens) };
  };
}

function toBatch(
  spec_id: string,
  spec: SpecModel,
  { claimed, conflicting }: Extract<BatchResult, { found: true }>,
  tokens: { readonly all: number; readonly each: number },
) {
  const { mission } = spec.metadata;
  const options = {
    maxTokens: Math.min(tokens.each, Math.floor(tokens.all / claimed.length)),
    withMission: false,
  };
  return {
    found: true as const,
    spec_id,
    // All tasks have the same mission, so the response contains it only once.
    ...(typeof mission === "string" && mission !== "" ? { mission } : {}),
    tasks: claimed.map(({ node, claim }) => ({ ...toWork(spec, node, options), ...claim })),
    ...(conflicting.length === 0 ? {} : { conflicting }),
    spec_complete: false,
    progress: progressOf(spec.tally(rootId)),
  };
}
