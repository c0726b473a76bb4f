import { action, type Context, payload } from "@foundry-mcp/toolkit";
import { z } from "zod";
import type { Plan } from "../../model/change.ts";
import { claimNext, claimTask, heartbeat, release } from "../../model/claims/claim-task.ts";
import { rootId } from "../../model/spec-document.ts";
import { progressOf } from "../../model/spec-model.ts";
import { type ChangeInput, changeSpec } from "../change-spec.ts";
import { readSpec } from "../overwritten.ts";
import { claimFields, idempotencyKey, specId, specRevision, taskId } from "../parameters.ts";
import type { Workspace } from "../workspace.ts";
import { findUnclaimedTask, toNextTask, toNoTask } from "./next-view.ts";

const holder = z.string().min(1).max(200).optional().describe("Who claims; without one the client");
const leaseMinutes = z.number().positive().max(1_440).optional().describe("Default: 15");

const leasePayload = () =>
  payload({ ...specRevision, task_id: z.string(), claim_token: z.string(), lease_until: z.string() });
const cli = (command: string) => ({ command: `tasks ${command}`, arguments: ["spec_id", "task_id"] });

/** Creates the actions of `task` that hand out tasks and manage their leases. */
export function claimActions(workspace: Workspace) {
  const change = async <R extends object>(input: ChangeInput, plan: Plan<R>, context: Context) => ({
    spec_id: input.spec_id,
    ...(await changeSpec(workspace, input, plan, context)),
  });
  return {
    next: action({
      description: "What to do next",
      input: () =>
        z.object({
          spec_id: specId,
          claim: z.boolean().optional().describe("Hold it as well"),
          holder,
          lease_minutes: leaseMinutes,
          idempotency_key: idempotencyKey,
        }),
      output: () => payload({ ...specRevision, found: z.boolean() }),
      cli: { command: "tasks next", arguments: ["spec_id"] },
      run: async (input, context) => {
        const { spec_id, claim = false } = input;
        if (!claim) {
          const { model, revision } = await readSpec(workspace, spec_id, context);
          const next = await findUnclaimedTask(workspace, spec_id, model);
          if (next.found) return { ...toNextTask(spec_id, model, next.node), revision };
          return {
            found: false,
            spec_id,
            ...toNoTask(next),
            progress: progressOf(model.tally(rootId)),
            revision,
          };
        }
        const plan: Plan<object> = (spec, change) => {
          const { result: claimed, ...rest } = claimNext(input)(spec, change);
          if (!claimed.found) {
            const progress = progressOf(spec.tally(rootId));
            return { ...rest, result: { found: false, spec_id, ...toNoTask(claimed), progress } };
          }
          const { node, found: _, ...lease } = claimed;
          return { ...rest, result: { ...toNextTask(spec_id, spec, node), ...lease } };
        };
        return changeSpec(workspace, input, plan, context);
      },
    }),
    claim: action({
      description: "Hold a task: nobody else can write to it",
      input: () =>
        z.object({
          spec_id: specId,
          task_id: taskId,
          holder,
          lease_minutes: leaseMinutes,
          idempotency_key: idempotencyKey,
        }),
      output: leasePayload,
      cli: cli("claim"),
      run: (input, context) => change(input, claimTask(input), context),
    }),
    heartbeat: action({
      description: "Hold it for longer",
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
      description: "Hold it no more",
      input: () => z.object({ spec_id: specId, task_id: taskId, ...claimFields }),
      output: () => payload({ ...specRevision, task_id: z.string(), released: z.boolean() }),
      idempotent: true,
      cli: cli("release"),
      run: (input, context) => change(input, release(input), context),
    }),
  };
}
