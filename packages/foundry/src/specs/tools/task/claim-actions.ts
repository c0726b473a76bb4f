import { action, payload } from "@foundry-mcp/toolkit";
import { z } from "zod";
import type { Plan } from "../../model/change.ts";
import { claimNext, claimTask, heartbeat, release } from "../../model/claims/claim-task.ts";
import { rootId } from "../../model/spec-document.ts";
import { progressOf } from "../../model/spec-model.ts";
import { changeSpec, repeatedCallWarning, toChangeOptions } from "../change-spec.ts";
import { specRevision, taskChangeFields, idempotencyKey, specId, taskId } from "../parameters.ts";
import type { Workspace } from "../workspace.ts";
import { claimToken, holder, leaseMinutes } from "./claim-parameters.ts";
import { findUnclaimedTask, toNoTask, toNextTask } from "./next-view.ts";

const held = () =>
  payload({ ...specRevision, task_id: z.string(), claim_token: z.string(), lease_until: z.string() });
const place = (command: string) => ({ command: `tasks ${command}`, arguments: ["spec_id", "task_id"] });

/** The actions of `task` by which several agents share work. */
export function claimActions(workspace: Workspace) {
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
        const store = await workspace.store();
        if (!claim) {
          const { model, revision } = await store.read(spec_id);
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
        const changed = await store.change(spec_id, plan, toChangeOptions(input, context));
        const { result, snapshot, isRepeated } = changed;
        if (isRepeated) context.warn(repeatedCallWarning);
        return { ...result, revision: snapshot.revision };
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
      output: held,
      cli: place("claim"),
      run: async (input, context) => ({
        spec_id: input.spec_id,
        ...(await changeSpec(workspace, input, claimTask(input), context)),
      }),
    }),
    heartbeat: action({
      description: "Hold it for longer",
      input: () =>
        z.object({ spec_id: specId, task_id: taskId, claim_token: claimToken, lease_minutes: leaseMinutes }),
      output: held,
      idempotent: true,
      cli: place("heartbeat"),
      run: async (input, context) => ({
        spec_id: input.spec_id,
        ...(await changeSpec(workspace, input, heartbeat(input), context)),
      }),
    }),
    release: action({
      description: "Hold it no more",
      input: () => {
        const { claim_token, force } = taskChangeFields;
        return z.object({ spec_id: specId, task_id: taskId, claim_token, force });
      },
      output: () => payload({ ...specRevision, task_id: z.string(), released: z.boolean() }),
      idempotent: true,
      cli: place("release"),
      run: async (input, context) => ({
        spec_id: input.spec_id,
        ...(await changeSpec(workspace, input, release(input), context)),
      }),
    }),
  };
}
