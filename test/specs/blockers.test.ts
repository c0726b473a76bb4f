import { isRecord } from "@foundry-mcp/contract";
import { createRegistry } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { describe, expect, it } from "vitest";
import { roles } from "#built/foundry/app/roles.js";
import { silentLogger } from "../toolkit/silent-logger.ts";
import { createFreshTools } from "./fresh-tools.ts";

const registry = createRegistry({
  name: "blockers",
  version: "1.0.0",
  roles,
  tools: createFreshTools(createMemoryArchive()),
  validateOutput: true,
  logger: silentLogger,
});

/** Returns the members called `blocker` or `…_blocker` at any depth of a value, each with its path. */
function blockersIn(value: unknown, path = ""): readonly (readonly [path: string, blocker: unknown])[] {
  if (Array.isArray(value)) return value.flatMap((each) => blockersIn(each, `${path}[]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === "" ? name : `${path}.${name}`;
    // `kept` lists the specs that a call changed, in the form of their files, so it is skipped.
    if (name === "kept") return [];
    return /(^|_)blocker$/.test(name) ? [[at, member] as const] : blockersIn(member, at);
  });
}

/**
 * The actions that report why a task cannot proceed. `next` and `prepare` without an id return only tasks
 * that can proceed.
 */
const answering = ["block", "check-deps", "info", "list-blocked", "prepare", "unblock"];

describe("a blocker has one shape", () => {
  it("in every output schema", () => {
    const told = registry.tools.flatMap((tool) =>
      [...tool.actions.values()].flatMap(({ name, output }) =>
        blockersIn(output?.["~standard"].jsonSchema.input({ target: "draft-2020-12" })).map(
          ([, json]) => [`${tool.name} ${name}`, json] as const,
        ),
      ),
    );
    const text = { type: "string" };
    for (const [action, json] of told)
      expect(json, action).toEqual({
        type: "object",
        properties: { task_id: text, type: text, reason: text, ticket: text },
        required: ["reason"],
        additionalProperties: false,
      });
    expect([...new Set(told.map(([action]) => action))].toSorted()).toEqual(
      answering.map((name) => `task ${name}`),
    );
  });

  const decided = { type: "decision", reason: "Undecided" };
  const waits = { task_id: "task-1-1", type: "dependency", reason: "Waits for task-1-1: Do task-1-1" };
  const verifies = {
    task_id: "task-2-2-1",
    type: "dependency",
    reason: "Verifies task-2-2-1: A part of it",
  };
  const given = { type: "resource", reason: "The parts are late", ticket: "OPS-7" };
  it.each([
    ["info", { task_id: "task-1-3" }, [["task.blocker", decided]]],
    ["info", { task_id: "task-1-2" }, [["task.blocker", waits]]],
    ["info", { task_id: "task-1-1" }, []],
    [
      "prepare",
      { task_id: "task-1-2" },
      // Each blocker of a task is reported once.
      [["dependencies.blocker", waits]],
    ],
    ["prepare", {}, []],
    ["check-deps", { task_id: "task-1-2" }, [["blocker", waits]]],
    ["check-deps", { task_id: "task-1-3" }, [["blocker", decided]]],
    [
      "list-blocked",
      {},
      [
        ["tasks[].blocker", waits],
        ["tasks[].blocker", decided],
        ["tasks[].blocker", verifies],
      ],
    ],
    ["query", {}, []],
    ["hierarchy", {}, []],
    ["unblock", { task_id: "task-1-3" }, [["previous_blocker", decided]]],
    [
      "block",
      { task_id: "task-1-1", reason: given.reason, blocker_type: given.type, ticket: given.ticket },
      [["blocker", given]],
    ],
  ])("in the answer of task %s %j", async (action, args, expected) => {
    const { success, data } = await registry.call("task", { action, spec_id: "one", ...args });
    expect([success, blockersIn(data)]).toEqual([true, expected]);
  });
});
