import { action, type Context, payload, rows } from "@foundry-mcp/toolkit";
import { z } from "zod";
import type { Plan } from "../../model/change.ts";
import { type BatchResult, claimBatch } from "../../model/claims/claim-batch.ts";
import type { ClaimInput } from "../../model/claims/claim-task.ts";
import { rootId } from "../../model/spec-document.ts";
import { progressOf, type SpecModel } from "../../model/spec-model.ts";
import { givenFilter, type WorkFilter } from "../../model/work-filter.ts";
import { type ChangeInput, changeSpec } from "../change-spec.ts";
import { readSpec } from "../overwritten.ts";
import { specId, workFilter } from "../parameters.ts";
import type { Workspace } from "../workspace.ts";
import { requireSpecFor, searchSpecs } from "./active-specs.ts";
import { claimOptions, keyNeedsSpec } from "./claim-actions.ts";
import { findUnclaimedTask, readNoTask, toNoTask, toTaskFilter, withRemediation } from "./next-view.ts";
import { contextTokens, toWork } from "./work-context.ts";

const defaultTasks = 3;
const maxTasks = 20;
/** The tokens that all tasks of a response may have: less than the default budget, which would reduce their tokens away. */
const batchTokens = 15_000;

interface BatchActionInput extends ClaimInput, ChangeInput {
  readonly max_tasks?: number | undefined;
}

/** Creates the action of `task` that claims several tasks at once. */
export function batchAction(workspace: Workspace) {
  return {
    "prepare-batch": action({
      description: "Claim several ready tasks that touch different files",
      input: () =>
        z.object({
          spec_id: specId.optional(),
          max_tasks: z.int().min(1).max(maxTasks).optional().describe("Default: 3"),
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
      cli: { command: "tasks prepare-batch", arguments: ["spec_id"] },
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
        // Without a task the list is empty rather than absent.
        return { tasks: [], ...withRemediation(answer, context.describeRemedy) };
      },
    }),
  };
}

type BatchAnswer = ReturnType<typeof toBatch> | ReturnType<typeof toNoTask>;

function planBatch(
  input: BatchActionInput,
  filter: WorkFilter | undefined,
  { maxTokens }: Context,
): Plan<BatchAnswer> {
  const { max_tasks = defaultTasks, spec_id } = input;
  const plan = claimBatch({ ...input, max_tasks, matches: toTaskFilter(filter) });
  return (spec, context) => {
    const { result, ...change } = plan(spec, context);
    if (!result.found)
      return { ...change, result: toNoTask(spec_id, spec, result.reason, { ...context, filter }) };
    return { ...change, result: toBatch(spec_id, spec, result, Math.min(batchTokens, maxTokens * 0.8)) };
  };
}

function toBatch(
  spec_id: string,
  spec: SpecModel,
  { claimed, conflicting }: Extract<BatchResult, { found: true }>,
  maxTokens: number,
) {
  const { mission } = spec.metadata;
  const options = {
    maxTokens: Math.min(contextTokens, Math.floor(maxTokens / claimed.length)),
    withMission: false,
  };
  return {
    found: true as const,
    spec_id,
    // The tasks share one mission.
    ...(typeof mission === "string" && mission !== "" ? { mission } : {}),
    tasks: claimed.map(({ node, claim }) => ({ ...toWork(spec, node, options), ...claim })),
    ...(conflicting.length === 0 ? {} : { conflicting }),
    spec_complete: false,
    progress: progressOf(spec.tally(rootId)),
  };
}
