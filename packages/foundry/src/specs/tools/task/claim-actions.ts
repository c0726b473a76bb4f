import { action, type Context, payload } from "@foundry-mcp/toolkit";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import type { Plan } from "../../model/change.ts";
import { type ClaimInput, claimNext, claimTask, heartbeat, release } from "../../model/claims/claim-task.ts";
import { givenFilter, type WorkFilter } from "../../model/work-filter.ts";
import { claimView } from "../../views/claim-view.ts";
import { taskCardView } from "../../views/task-card-view.ts";
import { claimFields } from "../change-parameters.ts";
import { type ChangeInput, changeSpec } from "../change-spec.ts";
import { readSpec } from "../overwritten.ts";
import { specId, taskId } from "../parameters.ts";
import { specRevision } from "../payload-parts.ts";
import { workFilter } from "../planning-parameters.ts";
import type { Workspace } from "../workspace.ts";
import { requireSpecFor, searchSpecs } from "./active-specs.ts";
import { claimOptions, leaseMinutes } from "./claim-parameters.ts";
import { toContextTokens, warnIfShortened } from "./fit-to-tokens.ts";
import {
  findUnclaimedTask,
  readNoTask,
  toNextTask,
  toNoTask,
  toTaskFilter,
  withRemediation,
} from "./next-view.ts";
import type { OwnClaims } from "./own-claims.ts";

const leasePayload = () =>
  payload({ ...specRevision, task_id: z.string(), claim_token: z.string(), lease_until: z.string() });
/**
 * The payload of a search for a task. If a search over all specs finds no task, the payload names no spec.
 */
const foundPayload = () =>
  payload({ found: z.boolean(), spec_id: z.string().optional(), revision: z.string().optional() });
type NextAnswer = ReturnType<typeof toNextTask> | ReturnType<typeof toNoTask>;

/** A key is stored with the spec that its call changed, so a call with a key must name a spec. */
export const keyNeedsSpec = { idempotency_key: "a key belongs to the spec that the call changes" };
const cli = (command: "claim" | "heartbeat" | "release") => ({
  command: `tasks ${command}`,
  arguments: ["spec_id", "task_id"],
  show: viewOf(() => claimView(command)),
});

/** Creates the actions of `task` that claim tasks and manage leases. */
export function claimActions(workspace: Workspace, claims: OwnClaims) {
  /** Claims the next task of a spec. If many specs are searched, a spec without a next task is only read. */
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
      return {
        ...made,
        result: { ...toNextTask(spec_id, spec, node, toContextTokens(context.requestedTokens)), ...lease },
      };
    };
    return changeSpec(workspace, input, plan, context);
  };
  const change = async <R extends object>(input: ChangeInput, plan: Plan<R>, context: Context) => {
    const answer = { spec_id: input.spec_id, ...(await changeSpec(workspace, input, plan, context)) };
    claims.remember(context, answer);
    return answer;
  };
  return {
    next: action({
      description: "Get the next ready task (default: of any active spec)",
      input: () =>
        z.object({
          spec_id: specId.optional(),
          claim: z.boolean().optional().describe("Also claim the task"),
          ...claimOptions,
          ...workFilter,
        }),
      output: foundPayload,
      cli: { command: "tasks next", arguments: ["spec_id"], show: viewOf(() => taskCardView) },
      run: async ({ claim = false, ...input }, context) => {
        requireSpecFor(input, keyNeedsSpec);
        const filter = givenFilter(input);
        const answer = await searchSpecs(workspace, input.spec_id, filter, (spec_id) =>
          claim
            ? claimIn({ ...input, spec_id }, filter, input.spec_id === undefined, context)
            : readNext(workspace, spec_id, filter, context),
        );
        claims.remember(context, answer);
        if ("task_id" in answer) warnIfShortened(answer, context);
        return withRemediation(answer, context.describeRemedy);
      },
    }),
    claim: action({
      description: "Claim a task (default: the next)",
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
        claims.remember(context, answer);
        if ("task_id" in answer) warnIfShortened(answer, context);
        return withRemediation(answer, context.describeRemedy);
      },
    }),
    heartbeat: action({
      description: "Extend a claim",
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
    ? toNextTask(spec_id, model, next.node, toContextTokens(context.requestedTokens))
    : await readNoTask(workspace, snapshot, next.reason, filter);
  return { ...answer, revision };
}
