import type { Tool } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { isIdempotentCall } from "./idempotency.ts";

const toTool = (told: unknown, annotations: Tool["annotations"] = {}): Tool => ({
  name: "notes",
  inputSchema: { type: "object" },
  annotations,
  _meta: { "foundry-mcp/actions": told },
});

describe("a call that may happen twice", () => {
  const lists = toTool({ readOnly: ["get"], idempotent: ["put"], destructive: ["drop"] });
  const entries = toTool({ get: { readOnly: true }, put: { idempotent: true }, drop: { destructive: true } });

  it.each([
    ["lists the actions of a promise", lists],
    ["has an entry for each action", entries],
  ])("is known where the tool %s", (_form, tool) => {
    const told = ["get", "put", "drop", "unknown", "toString", "readOnly"].map((action) =>
      isIdempotentCall(tool, { action }),
    );
    expect(told).toEqual([true, true, false, false, false, false]);
  });

  it("is told by an action before it is by the tool", () => {
    const annotations = { readOnlyHint: true, idempotentHint: true };
    expect(
      isIdempotentCall(toTool({ readOnly: ["get"], idempotent: [] }, annotations), { action: "put" }),
    ).toBe(false);
    expect(isIdempotentCall(toTool({ put: {} }, annotations), { action: "put" })).toBe(false);
  });

  it("is told by the tool where nothing is told of the action", () => {
    const annotations = { idempotentHint: true };
    for (const told of [
      undefined,
      null,
      [],
      "all",
      {},
      { get: true },
      { readOnly: ["get"] },
      { readOnly: {} },
    ]) {
      expect(isIdempotentCall(toTool(told, annotations), { action: "put" })).toBe(true);
      expect(isIdempotentCall(toTool(told), { action: "put" })).toBe(false);
    }
    expect(isIdempotentCall(toTool({ readOnly: ["get"] }, { readOnlyHint: true }), undefined)).toBe(true);
    expect(isIdempotentCall(undefined, { action: "put" })).toBe(false);
  });

  it("is one of an action that is called like a promise", () => {
    expect(isIdempotentCall(toTool({ readOnly: { idempotent: true } }), { action: "readOnly" })).toBe(true);
    expect(isIdempotentCall(toTool({ readOnly: ["readOnly"] }), { action: "readOnly" })).toBe(true);
  });
});
