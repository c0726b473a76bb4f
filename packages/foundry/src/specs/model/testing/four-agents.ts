import { isContractError } from "@foundry-mcp/contract";
import fc from "fast-check";
import { expect } from "vitest";
import type { Plan } from "../change.ts";
import { addTask } from "../changes/add-task.ts";
import { addVerification } from "../changes/add-verification.ts";
import { blockTask } from "../changes/block-task.ts";
import { completeTask } from "../changes/complete-task.ts";
import { reopenTask } from "../changes/reopen-task.ts";
import { startTask } from "../changes/start-task.ts";
import { unblockTask } from "../changes/unblock-task.ts";
import { updateStatus } from "../changes/update-status.ts";
import { guardTask } from "../claims/claim-guard.ts";
import { claimNext, claimTask, release } from "../claims/claim-task.ts";
import { guardEvidence } from "../evidence/require-evidence.ts";
import { activeLease, type Leases, withLeases } from "../lease.ts";
import type { SpecDocument } from "../spec-document.ts";
import { SpecModel } from "../spec-model.ts";
import { arbitraryPlan } from "./arbitrary-plan.ts";
import { naiveReadiness } from "./naive-readiness.ts";
import { nodesOf } from "./recount.ts";
import { context } from "./run-change.ts";

const agentCount = 4;
const moves = ["take", "take", "claim", "start", "finish", "finish", "fail", "block", "die"] as const;
const events = ["sleep", "reopen", "fail later", "unblock", "add"] as const;

type Step = readonly [agent: number, move: (typeof moves)[number] | (typeof events)[number], pick: number];

interface Held {
  readonly task_id: string;
  readonly claim_token: string;
}

/** A spec that agents work on, and a clock. Every change is checked when it is made. */
class Work {
  spec: SpecModel;
  leases: Leases = new Map();
  #minute = 0;
  #tokens = 0;

  constructor(document: SpecDocument) {
    this.spec = new SpecModel(document);
  }

  get now(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.#minute * 60_000).toISOString();
  }

  /** Advances the clock. A lease lasts for 15 minutes. */
  sleep(minutes: number): void {
    this.#minute += minutes;
  }

  /** Makes a change. Returns undefined if the change is refused with an error that agents must expect. */
  change<R>(plan: Plan<R>): R | undefined {
    this.#tokens += 1;
    try {
      const { now, leases } = this;
      const own = { ...context, now, leases, newToken: `${this.#tokens}` };
      const change = guardEvidence(plan)(this.spec, own);
      this.spec = this.spec.after(change.edits);
      this.leases = withLeases(leases, change.leases);
      return change.result;
    } catch (error) {
      if (!isContractError(error)) throw error;
      expect(["CONFLICT", "INVALID_STATE", "DEPENDENCY_ERROR"]).toContain(error.code);
      return undefined;
    }
  }

  /** Claims a task. Checks that no agent holds the task and that the task waits for nothing. */
  claim(plan: Plan<{ readonly task_id?: string; readonly claim_token?: string; readonly found?: boolean }>) {
    const { leases, now, spec } = this;
    const { task_id, claim_token } = this.change(plan) ?? {};
    if (task_id === undefined || claim_token === undefined) return undefined;
    const { isReady } = naiveReadiness(spec.document);
    expect([task_id, activeLease(leases, task_id, now), isReady(task_id)]).toEqual([
      task_id,
      undefined,
      true,
    ]);
    expect(["pending", "in_progress"]).toContain(spec.node(task_id)?.status);
    return { task_id, claim_token };
  }

  ids(isWanted: (id: string) => boolean): readonly string[] {
    return this.spec.orderedNodes
      .filter((node) => this.spec.isCounted(node) && isWanted(node.id))
      .map(({ id }) => id);
  }

  statusOf(id: string) {
    return this.spec.node(id)?.status;
  }

  isVerify(id: string): boolean {
    return this.spec.node(id)?.type === "verify";
  }
}

function finish(work: Work, { task_id, claim_token }: Held): void {
  const guard = { claim_token };
  if (work.isVerify(task_id)) {
    const pass = addVerification({ verify_id: task_id, result: "PASSED", notes: "Seen" });
    work.change(guardTask(task_id, guard, "add", pass));
  }
  const wasDone = work.statusOf(task_id) === "completed";
  const lease = activeLease(work.leases, task_id, work.now);
  const done = work.change(guardTask(task_id, guard, "complete", completeTask({ task_id })));
  // Only the agent that holds a task can complete it, and the completion ends the lease.
  if (done !== undefined && !wasDone)
    expect([lease?.token, work.leases.has(task_id)]).toEqual([claim_token, false]);
  if (done === undefined) work.change(release({ task_id, claim_token }));
}

function runStep(work: Work, agents: (Held | undefined)[], [agent, move, pick]: Step): void {
  const held = agents[agent];
  const choose = (ids: readonly string[]) => ids[pick % Math.max(1, ids.length)];
  const isDone = (id: string) => work.statusOf(id) === "completed";
  if (move === "sleep") work.sleep(1 + (pick % 20));
  if (move === "take" && held === undefined) agents[agent] = work.claim(claimNext({}));
  if (move === "claim" && held === undefined) {
    const task_id = choose(work.ids(() => true));
    if (task_id !== undefined) agents[agent] = work.claim(claimTask({ task_id }));
  }
  if (move === "die") agents[agent] = undefined;
  if (held !== undefined) {
    const { task_id, claim_token } = held;
    const guard = { claim_token };
    if (move === "start") work.change(guardTask(task_id, guard, "start", startTask({ task_id })));
    if (move === "block")
      work.change(guardTask(task_id, guard, "block", blockTask({ task_id, reason: "No key" })));
    if (move === "fail" && work.isVerify(task_id))
      work.change(
        guardTask(task_id, guard, "add", addVerification({ verify_id: task_id, result: "FAILED" })),
      );
    if (move === "finish") {
      finish(work, held);
      agents[agent] = undefined;
    }
  }
  if (move === "reopen") {
    const task_id = choose(work.ids((id) => isDone(id) && !work.isVerify(id)));
    if (task_id !== undefined)
      work.change(guardTask(task_id, {}, "reopen", reopenTask({ task_id, reason: "Wrong" })));
  }
  if (move === "fail later") {
    const verify_id = choose(work.ids((id) => isDone(id) && work.isVerify(id)));
    const failed =
      verify_id &&
      work.change(guardTask(verify_id, {}, "add", addVerification({ verify_id, result: "FAILED" })));
    if (failed) expect([failed.reopened, work.statusOf(failed.verify_id)]).toEqual([true, "pending"]);
  }
  if (move === "unblock") {
    const task_id = choose(work.ids((id) => work.statusOf(id) === "blocked"));
    if (task_id !== undefined) work.change(unblockTask({ task_id }));
  }
  if (move === "add") {
    const parents = work.spec.orderedNodes.filter(({ type }) => type === "phase").map(({ id }) => id);
    const parent = choose(parents);
    if (parent !== undefined) work.change(addTask({ parent, title: "Late" }));
  }
}

/**
 * Completes all remaining work. First, all leases expire, blocked tasks are unblocked, and tasks in progress
 * without a lease are set back to pending.
 */
function finishAll(work: Work): void {
  work.sleep(60);
  for (const task_id of work.ids((id) => work.statusOf(id) === "blocked"))
    work.change(unblockTask({ task_id }));
  const isLeft = (id: string) => work.statusOf(id) === "in_progress" && !work.leases.has(id);
  for (const task_id of work.ids(isLeft)) work.change(updateStatus({ task_id, status: "pending" }));
  const rounds = 10 * work.ids(() => true).length;
  for (let round = 0; round < rounds; round++) {
    // All agents claim a task before the first of them completes its task.
    const taken = Array.from({ length: agentCount }, () => work.claim(claimNext({})));
    if (taken.every((held) => held === undefined)) break;
    for (const held of taken) if (held !== undefined) finish(work, held);
  }
  expect(work.ids((id) => work.statusOf(id) !== "completed")).toEqual([]);
}

/**
 * Lets four agents work on random plans in a random order. The agents claim, complete, fail, block and
 * abandon tasks; leases expire, and other callers reopen work, record failures and add tasks. Checks that no
 * verify node is claimed before its work is done, that no task is claimed twice, and that all work ends.
 */
export function proveFourAgents(numRuns: number): void {
  const steps = fc.array(
    fc.tuple(fc.nat(agentCount - 1), fc.constantFrom(...moves, ...moves, ...events), fc.nat()),
    { maxLength: 120, size: "max" },
  );
  fc.assert(
    fc.property(arbitraryPlan({ maxNodes: 25 }), fc.nat(3), steps, (document, share, all) => {
      // Some verify nodes require evidence.
      for (const [index, node] of Object.values(nodesOf(document)).entries())
        if (node.type === "verify" && index % 4 < share) node.metadata["evidence"] = "required";
      const work = new Work(document);
      const agents: (Held | undefined)[] = Array.from({ length: agentCount });
      for (const step of all) runStep(work, agents, step);
      finishAll(work);
    }),
    { numRuns },
  );
}
