import { describe, expect, it } from "vitest";
import { stageOf, toCallOrder } from "./call-order.ts";

const order = (tool: string, actions: readonly string[]) =>
  toCallOrder(actions.map((action) => ({ tool, action }))).map(({ action }) => action);

describe("toCallOrder", () => {
  it("creates before it changes, closes before it reopens, and removes last", () => {
    expect(
      order("task", ["remove", "reopen", "complete", "unblock", "block", "start", "release", "claim", "add"]),
    ).toEqual(["add", "claim", "release", "start", "block", "unblock", "complete", "reopen", "remove"]);
  });

  it("removes a relation right after it has added it", () => {
    expect(order("task", ["start", "remove-dependency", "add-dependency", "remove", "add"])).toEqual([
      "add",
      "add-dependency",
      "remove-dependency",
      "start",
      "remove",
    ]);
  });

  it("removes what was made last first, and restores it after that", () => {
    const actions = ["restore", "delete-spec", "delete-task", "rollback", "archive", "reopen"];
    expect(order("spec", actions)).toEqual([
      "reopen",
      "rollback",
      "archive",
      "delete-task",
      "delete-spec",
      "restore",
    ]);
  });

  it("keeps the order of the server where names say nothing", () => {
    expect(order("task", ["polish", "paint", "update"])).toEqual(["polish", "paint", "update"]);
    const tools = ["delete_entities", "create_entities", "frobnicate"].map((tool) => ({ tool }));
    expect(toCallOrder(tools).map(({ tool }) => tool)).toEqual([
      "create_entities",
      "frobnicate",
      "delete_entities",
    ]);
  });
});

it.each([
  ["add", "create"],
  ["claim", "claim"],
  ["heartbeat", "held"],
  ["release", "held"],
  ["start", "start"],
  ["remove", "remove"],
  ["archive", "end"],
  ["restore", "restore"],
  ["remove-dependency", "other"],
  ["update", "other"],
])("the stage of %s is %s", (action, stage) => {
  expect(stageOf({ tool: "task", action })).toBe(stage);
});
