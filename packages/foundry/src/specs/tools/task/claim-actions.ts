import { action, type Context, payload } from "@foundry-mcp/toolkit";
import { z } from "zod";
import type { Plan } from "../../model/change.ts";
import { type ClaimInput, claimNext, claimTask, heartbeat, release } from "../../model/claims/claim-task.ts";
import { givenFilter, type WorkFilter } from "../../model/work-filter.ts";
import { type ChangeInput, changeSpec } from "../change-spec.ts";
import { readSpec } from "../overwritten.ts";
import { claimFields, idempotencyKey, specId, specRevision, taskId, workFilter } from "../parameters.ts";
import type { Workspace } from "../workspace.ts";
import { requireSpecFor, searchSpecs } from "./active-specs.ts";
import {
  findUnclaimedTask,
  readNoTask,
  toNextTask,
  toNoTask,
  toTaskFilter,
  withRemediation,
} from "./next-view.ts";

const holder = z.string().min(1).max(200).optional().describe("Agent that claims (default: the client)");
const leaseMinutes = z.number().positive().max(1_440).optional().describe("Default: 15");

/** The parameters of every claim. */
export const claimOptions = { holder, lease_minutes: leaseMinutes, idempotency_key: idempotencyKey };

const leasePayload = () =>
  payload({ ...specRevision, task_id: z.string(), claim_token: z.string(), lease_until: z.string() });
/** The payload of a search for a task; without a task, and over all specs, it has no spec. */
const foundPayload = () =>
  payload({ found: z.boolean(), spec_id: z.string().optional(), revision: z.string().optional() });
type NextAnswer = ReturnType<typeof toNextTask> | ReturnType<typeof toNoTask>;

/** A key is kept beside the spec that it changed. */
export const keyNeedsSpec = { idempotency_key: "a key belongs to the spec that the call changes" };
const cli = (command: string) => ({ command: `tasks ${command}`, arguments: ["spec_id", "task_id"] });

/** Creates the actions of `task` that hand out tasks and manage their leases. */
export function claimActions(workspace: Workspace) {
  /** Claims the next task of a spec; where many specs are searched, one without a task is only read. */
  const claimIn = async (
    input: ClaimInput & ChangeInput,
    filter: WorkFilter | undefined,
    isSearch: boolean,
    context: Context,
  ) => {
    const { spec_id } = input;
    if (isSearch) {
      const snapshot = await readSpec(workspace, spec_id, context);
      const next = await findUnclaimedTask(workspace, snapshot, filter);
      if (!next.found) return readNoTask(workspace, snapshot, next.reason, filter);
    }
    const plan: Plan<NextAnswer> = (spec, { leases, now, ...rest }) => {
      const changing = { leases, now, ...rest };
      const { result: claimed, ...made } = claimNext(input, toTaskFilter(filter))(spec, changing);
      if (!claimed.found) {
        const why = { leases, now, folder: rest.folder, filter };
        return { ...made, result: toNoTask(spec_id, spec, claimed.reason, why) };
      }
      const { node, found: _, ...lease } = claimed;
      return { ...made, result: { ...toNextTask(spec_id, spec, node), ...lease } };
    };
    return changeSpec(workspace, input, plan, context);
  };
  const change = async <R extends object>(input: ChangeInput, plan: Plan<R>, context: Context) => ({
    spec_id: input.spec_id,
    ...(await changeSpec(workspace, input, plan, context)),
  });
  return {
    next: action({
      description: "Get the next ready task (default: of all active specs)",
      input: () =>
        z.object({
          spec_id: specId.optional(),
          claim: z.boolean().optional().describe("Claim it in the same step"),
          ...claimOptions,
          ...workFilter,
        }),
      output: foundPayload,
      cli: { command: "tasks next", arguments: ["spec_id"] },
      run: async ({ claim = false, ...input }, context) => {
        requireSpecFor(input, keyNeedsSpec);
        const filter = givenFilter(input);
        const answer = await searchSpecs(workspace, input.spec_id, filter, (spec_id) =>
          claim
            ? claimIn({ ...input, spec_id }, filter, input.spec_id === undefined, context)
            : readNext(workspace, spec_id, filter, context),
        );
        return withRemediation(answer, context.describeRemedy);
      },
    }),
    claim: action({
      description: "Claim a task, so that no other agent takes it (default: the next one)",
      input: () => z.object({ spec_id: specId.optional(), task_id: taskId.optional(), ...claimOptions }),
      output: () => z.union([leasePayload(), foundPayload()]),
      cli: cli("claim"),
      run: async ({ task_id, ...input }, context) => {
        requireSpecFor(
          { ...input, task_id },
          { ...keyNeedsSpec, task_id: "ids of tasks are unique in a spec" },
        );
        const { spec_id: given } = input;
        if (task_id !== undefined && given !== undefined) {
          const whole = { ...input, spec_id: given, task_id };
          return change(whole, claimTask(whole), context);
        }
        const answer = await searchSpecs(workspace, given, undefined, (spec_id) =>
          claimIn({ ...input, spec_id }, undefined, given === undefined, context),
        );
        return withRemediation(answer, context.describeRemedy);
      },
    }),
    heartbeat: action({
      description: "Renew a claim",
      input: () =>
        z.object({
          spec_id: specId,
          task_id: taskId,
          claim_token: z.string().min(1),
          lease_minutes: leaseMinutes,
        }),
      output: leasePayload,
      idempotent: true,
      cli: cli("heartbeat"),
      run: (input, context) => change(input, heartbeat(input), context),
    }),
    release: action({
      description: "Give up a claim",
      input: () => z.object({ spec_id: specId, task_id: taskId, ...claimFields }),
      output: () => payload({ ...specRevision, task_id: z.string(), released: z.boolean() }),
      idempotent: true,
      cli: cli("release"),
      run: (input, context) => change(input, release(input), context),
    }),
  };
}

/** Reads the next task of a spec. */
async function readNext(
  workspace: Workspace,
  spec_id: string,
  filter: WorkFilter | undefined,
  context: Context,
) {
  const snapshot = await readSpec(workspace, spec_id, context);
  const { model, revision } = snapshot;
  const next = await findUnclaimedTask(workspace, snapshot, filter);
  const answer = next.found
    ? toNextTask(spec_id, model, next.node)
    : await readNoTask(workspace, snapshot, next.reason, filter);
  return { ...answer, revision };
}
