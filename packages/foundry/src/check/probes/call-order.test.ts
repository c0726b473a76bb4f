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

  it("restores after it has removed", () => {
    expect(order("spec", ["rollback", "remove", "reopen"])).toEqual(["reopen", "remove", "rollback"]);
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
  ["heartbeat", "held"],
  ["release", "held"],
  ["start", "start"],
  ["remove", "remove"],
  ["remove-dependency", undefined],
  ["update", undefined],
])("the stage of %s is %s", (action, stage) => {
  expect(stageOf({ tool: "task", action })).toBe(stage);
});
