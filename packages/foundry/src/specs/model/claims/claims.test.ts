import { describe, expect, test } from "vitest";
import type { Plan } from "../change.ts";
import { completeTask } from "../changes/complete-task.ts";
import { removeTask } from "../changes/remove-task.ts";
import { startTask } from "../changes/start-task.ts";
import { type Lease, withLeases } from "../lease.ts";
import type { SpecDocument } from "../spec-document.ts";
import { specOf } from "../testing/arbitrary-spec.ts";
import { context, failureOf, now, runChange } from "../testing/run-change.ts";
import { guardChangedTasks, guardNewParent, guardSubtree, guardTask } from "./claim-guard.ts";
import { claimNext, claimTask, heartbeat, release } from "./claim-task.ts";

const spec = specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2", "phase-1/task-1-3 < task-1-1");
const later = "2026-01-02T12:15:00.000Z";
const held: Lease = { task_id: "task-1-1", token: "1-a", holder: "ann", since: now, until: later };
const expired: Lease = { ...held, until: "2026-01-02T11:59:59.000Z" };
const leases = (...all: readonly Lease[]) => new Map(all.map((lease) => [lease.task_id, lease]));

/** Returns the error of a change while the given leases exist. */
function refusal(document: SpecDocument, plan: Plan<unknown>, ...all: readonly Lease[]) {
  const { code, message, details } = failureOf(document, (model, own) =>
    plan(model, { ...own, leases: leases(...all) }),
  );
  return { code, message, details };
}

describe("a claim", () => {
  test("leases a task and names it by a token", () => {
    const claim = runChange(spec, claimTask({ task_id: "task-1-1", holder: "ann" }));
    expect({ result: claim.result, leases: claim.leases, edits: claim.edits }).toEqual({
      result: { task_id: "task-1-1", claim_token: "1-abcd", holder: "ann", lease_until: later },
      leases: { "task-1-1": { ...held, token: "1-abcd" } },
      edits: [],
    });
  });

  test("uses the author as holder by default, and the requested duration", () => {
    const { result } = runChange(spec, claimTask({ task_id: "task-1-1", lease_minutes: 0.5 }));
    expect(result).toMatchObject({ holder: "tester", lease_until: "2026-01-02T12:00:30.000Z" });
  });

  test("of a held task names the holder and the time", () => {
    expect(refusal(spec, claimTask({ task_id: "task-1-1", holder: "bob" }), held)).toEqual({
      code: "CONFLICT",
      message: `Cannot claim task-1-1: ann holds a claim on it until ${later}`,
      details: { task_id: "task-1-1", holder: "ann", lease_until: later },
    });
  });

  test("of a task with an expired lease succeeds", () => {
    const own = { leases: leases(expired) };
    expect(runChange(spec, claimTask({ task_id: "task-1-1" }), own).result.claim_token).toBe("1-abcd");
  });

  test.each([
    ["task-1-3", "DEPENDENCY_ERROR"],
    ["phase-1", "VALIDATION_ERROR"],
    ["task-9-9", "TASK_NOT_FOUND"],
  ])("of %s is %s", (task_id, code) => {
    expect(failureOf(spec, claimTask({ task_id })).code).toBe(code);
  });

  test("of what is done, blocked or has children is INVALID_STATE", () => {
    const other = specOf(
      "phase-1",
      "phase-1/task-1-1 completed",
      "phase-1/task-1-2 blocked",
      "phase-1/task-1-3",
      "task-1-3/task-1-3-1",
    );
    for (const task_id of ["task-1-1", "task-1-2", "task-1-3"])
      expect(failureOf(other, claimTask({ task_id })).code).toBe("INVALID_STATE");
  });
});

describe("claimNext", () => {
  test("takes the first that nobody holds", () => {
    const { result } = runChange(spec, claimNext({}), { leases: leases(held) });
    expect(result).toMatchObject({ found: true, task_id: "task-1-2", claim_token: "1-abcd" });
  });

  test("claims an abandoned task", () => {
    const begun = specOf("phase-1", "phase-1/task-1-1 in_progress");
    expect(runChange(begun, claimNext({})).result).toEqual({ found: false, reason: "in_progress" });
    const { result } = runChange(begun, claimNext({}), { leases: leases(expired) });
    expect(result).toMatchObject({ found: true, task_id: "task-1-1" });
  });

  test("returns the reason if there is none, and creates no lease", () => {
    const both = { leases: leases(held, { ...held, task_id: "task-1-2" }) };
    const change = runChange(spec, claimNext({}), both);
    expect([change.result, change.leases]).toEqual([{ found: false, reason: "blocked" }, undefined]);
  });
});

describe("a write to a held task", () => {
  const complete = (claim_token?: string, force?: boolean) =>
    guardTask("task-1-1", { claim_token, force }, "complete", completeTask({ task_id: "task-1-1" }));

  test("needs the token, and ends the lease when the work is done", () => {
    const change = runChange(spec, complete("1-a"), { leases: leases(held) });
    expect([change.result.status, change.leases]).toEqual(["completed", { "task-1-1": null }]);
  });

  test("keeps the lease while the work goes on", () => {
    const start = guardTask("task-1-1", { claim_token: "1-a" }, "start", startTask({ task_id: "task-1-1" }));
    expect(runChange(spec, start, { leases: leases(held) }).leases).toBeUndefined();
  });

  test.each([
    ["without one", undefined, [held], `Cannot complete task-1-1: ann holds a claim on it until ${later}`],
    [
      "with another",
      "9-z",
      [held],
      `Cannot complete task-1-1: ann holds a claim on it until ${later}, and the token is not the one of that lease`,
    ],
    [
      "with one of another task",
      "1-b",
      [{ ...held, task_id: "task-1-2", token: "1-b" }],
      "Cannot complete task-1-1 with this token: nobody holds it",
    ],
    [
      "with one that ran out",
      "1-a",
      [expired],
      "Cannot complete task-1-1 with this token: the lease of ann ran out at 2026-01-02T11:59:59.000Z",
    ],
    [
      "with one where nobody holds it",
      "1-a",
      [],
      "Cannot complete task-1-1 with this token: nobody holds it",
    ],
  ] as const)("%s is CONFLICT", (_, token, all, message) => {
    expect(refusal(spec, complete(token), ...all)).toMatchObject({ code: "CONFLICT", message });
  });

  test("is allowed without a token after the lease expired, and with force", () => {
    expect(runChange(spec, complete(), { leases: leases(expired) }).leases).toEqual({ "task-1-1": null });
    expect(runChange(spec, complete(undefined, true), { leases: leases(held) }).leases).toEqual({
      "task-1-1": null,
    });
  });

  test("repeated after completion changes nothing", () => {
    const done = specOf("phase-1", "phase-1/task-1-1 completed");
    const again = runChange(done, complete("1-a"));
    expect([again.edits, again.warnings]).toEqual([
      [],
      ["task-1-1 is completed already; nothing was changed"],
    ]);
  });

  test.each(["reopen", "update", "remove"])("is not %s with any token once it is done", (action) => {
    const done = specOf("phase-1", "phase-1/task-1-1 completed");
    const plan: Plan<object> = () => ({ edits: [], result: {} });
    expect(refusal(done, guardTask("task-1-1", { claim_token: "1-a" }, action, plan)).code).toBe("CONFLICT");
  });

  test("of a parent does not concern the holder of a subtask", () => {
    const nested = specOf("phase-1", "phase-1/task-1-1", "task-1-1/task-1-1-1");
    const both = leases(held, { ...held, task_id: "task-1-1-1", token: "2-b", holder: "bob" });
    const { result } = runChange(nested, release({ task_id: "task-1-1", claim_token: "1-a" }), {
      leases: both,
    });
    expect(result).toEqual({ task_id: "task-1-1", released: true });
  });

  test("is refused where a move would put something below it", () => {
    const plan: Plan<object> = () => ({ edits: [], result: {} });
    expect(refusal(spec, guardNewParent({ parent: "task-1-1" }, plan), held).message).toBe(
      `Cannot move below task-1-1: ann holds a claim on it until ${later}`,
    );
    expect(runChange(spec, guardNewParent({}, plan), { leases: leases(held) }).result).toEqual({});
  });

  test("is refused for any plan that changes the task, and only then", () => {
    const rename =
      (id: string): Plan<string> =>
      () => ({
        edits: [{ op: "set", path: ["hierarchy", id, "title"], value: "New" }],
        result: id,
      });
    const own = { leases: leases(held) };
    expect(refusal(spec, guardChangedTasks({}, "fix", rename("task-1-1")), held).code).toBe("CONFLICT");
    expect(runChange(spec, guardChangedTasks({}, "fix", rename("task-1-2")), own).result).toBe("task-1-2");
    expect(
      runChange(spec, guardChangedTasks({ force: true }, "fix", rename("task-1-1")), own).leases,
    ).toEqual({});
  });

  test("is refused if a removed subtask is held", () => {
    const nested = specOf("phase-1", "phase-1/task-1-1", "task-1-1/task-1-1-1");
    const below = { ...held, task_id: "task-1-1-1" };
    const remove = guardSubtree("task-1-1", {}, "remove", removeTask({ task_id: "task-1-1", cascade: true }));
    expect(refusal(nested, remove, below).message).toBe(
      `Cannot remove task-1-1-1: ann holds a claim on it until ${later}`,
    );
    const forced = guardSubtree(
      "task-1-1",
      { force: true },
      "remove",
      removeTask({ task_id: "task-1-1", cascade: true }),
    );
    expect(runChange(nested, forced, { leases: leases(below) }).leases).toEqual({ "task-1-1-1": null });
  });
});

describe("a lease", () => {
  test("is renewed from now on", () => {
    const plan = heartbeat({ task_id: "task-1-1", claim_token: "1-a", lease_minutes: 30 });
    expect(runChange(spec, plan, { leases: leases(held) })).toMatchObject({
      edits: [],
      leases: { "task-1-1": { ...held, until: "2026-01-02T12:30:00.000Z" } },
      result: { task_id: "task-1-1", claim_token: "1-a", lease_until: "2026-01-02T12:30:00.000Z" },
    });
  });

  test.each([
    ["another token", "9-z", [held]],
    ["one that ran out", "1-a", [expired]],
    ["none", "1-a", []],
  ] as const)("is not renewed with %s", (_, claim_token, all) => {
    expect(refusal(spec, heartbeat({ task_id: "task-1-1", claim_token }), ...all).code).toBe("CONFLICT");
  });

  test("is not renewed when the work is done", () => {
    const done = specOf("phase-1", "phase-1/task-1-1 completed");
    expect(refusal(done, heartbeat({ task_id: "task-1-1", claim_token: "1-a" }))).toEqual({
      code: "CONFLICT",
      message: "Cannot renew the lease of task-1-1 with this token: it is completed, which ended the lease",
      details: { task_id: "task-1-1", status: "completed" },
    });
  });

  test("is given up by its token or by force, not by others", () => {
    const by = (guard: object) => release({ task_id: "task-1-1", ...guard });
    expect(runChange(spec, by({ claim_token: "1-a" }), { leases: leases(held) }).leases).toEqual({
      "task-1-1": null,
    });
    expect(runChange(spec, by({ force: true }), { leases: leases(held) }).leases).toEqual({
      "task-1-1": null,
    });
    expect(refusal(spec, by({}), held).code).toBe("CONFLICT");
    expect(runChange(spec, by({}))).toMatchObject({ result: { task_id: "task-1-1", released: false } });
  });

  test("replaces the previous one", () => {
    const newer = { ...held, token: "2-b" };
    expect(withLeases(leases(held), { "task-1-1": newer })).toEqual(leases(newer));
    expect(withLeases(leases(held), { "task-1-1": null })).toEqual(leases());
    expect(context.leases).toEqual(new Map());
  });
});
