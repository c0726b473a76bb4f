import { describe, expect, it } from "vitest";
import { operationsOf, readDefinition, timeHintOf } from "./definition.ts";

/**
 * Returns the hints of the actions of a tool: r for an action that only reads, and i for an action that may be
 * repeated.
 */
function believed(told: unknown, annotations?: unknown, actions: readonly string[] = ["get", "put", "drop"]) {
  const definition = readDefinition({
    name: "notes",
    inputSchema: { type: "object", properties: { action: { type: "string", enum: actions } } },
    annotations,
    _meta: { "foundry-mcp/actions": told },
  });
  return operationsOf(definition!).map(({ action, isReadOnly, isIdempotent }) =>
    `${action ?? "notes"} ${isReadOnly ? "r" : ""}${isIdempotent ? "i" : ""}`.trim(),
  );
}

describe("hints for single actions", () => {
  it.each([
    ["lists of the actions that promise something", { readOnly: ["get"], idempotent: ["put"] }],
    ["an entry for each action", { get: { readOnly: true }, put: { idempotent: true }, drop: {} }],
  ])("is read from %s", (_form, told) => {
    expect(believed(told)).toEqual(["get ri", "put i", "drop"]);
  });

  it("override the annotations of the tool", () => {
    const annotations = { readOnlyHint: true, idempotentHint: true };
    expect(believed({ readOnly: ["get"], idempotent: ["put"] }, annotations)).toEqual([
      "get ri",
      "put i",
      "drop",
    ]);
    expect(believed({ readOnly: ["get"] }, annotations)).toEqual(["get ri", "put i", "drop i"]);
    expect(believed({ put: {} }, annotations)).toEqual(["get ri", "put", "drop ri"]);
  });

  it.each([undefined, null, [], "get", { readOnly: "get" }, { get: true }])(
    "is what its annotations say where it is %j",
    (told) => {
      expect(believed(told)).toEqual(["get", "put", "drop"]);
      expect(believed(told, { readOnlyHint: true })).toEqual(["get ri", "put ri", "drop ri"]);
      expect(believed(told, { idempotentHint: true })).toEqual(["get i", "put i", "drop i"]);
    },
  );

  it("are ignored for a tool without actions", () => {
    expect(believed({ readOnly: ["notes"] }, undefined, [])).toEqual(["notes"]);
  });
});

describe("timeHintOf", () => {
  it.each([
    [{ "foundry-mcp/timeout_ms": 8_000 }, undefined, 8_000],
    [{ "example.com/timeoutMs": 8_000 }, undefined, 8_000],
    [{ timeout_seconds: 90 }, undefined, 90_000],
    [{ "foundry-mcp/actions": { wait: { timeout_ms: 70 } }, timeout_ms: 5 }, "wait", 70],
    [{ "foundry-mcp/actions": { wait: { timeout_ms: 70 } }, timeout_ms: 5 }, "get", 5],
    [{ "foundry-mcp/timeout_ms": "8 s" }, undefined, undefined],
    [{ timeout_ms: -1 }, undefined, undefined],
    [{ timeout: 5 }, undefined, undefined],
    [undefined, "wait", undefined],
  ])("of %j for the action %s is %s", (meta, action, expected) => {
    expect(timeHintOf(readDefinition({ name: "notes", _meta: meta })!, action)).toBe(expected);
  });
});
