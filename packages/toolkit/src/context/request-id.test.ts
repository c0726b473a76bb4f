import { describe, expect, it } from "vitest";
import { createRequestId, resolveRequestId } from "./request-id.ts";

describe("resolveRequestId", () => {
  it("keeps a valid id of the caller", () => {
    expect(resolveRequestId("a_B-9")).toEqual({ requestId: "a_B-9" });
    expect(resolveRequestId("x".repeat(128))).toEqual({ requestId: "x".repeat(128) });
  });

  it.each([
    ["with space", "with space"],
    [42, "42"],
    ["x".repeat(300), "x".repeat(256)],
    ["", ""],
  ])("replaces the invalid id %j and returns both", (given, clientRequestId) => {
    expect(resolveRequestId(given)).toEqual({
      requestId: expect.stringMatching(/^req_[0-9a-f]{12}$/),
      clientRequestId,
    });
  });

  it.each([undefined, null, {}, true])("creates an id for %j", (given) => {
    expect(Object.keys(resolveRequestId(given))).toEqual(["requestId"]);
  });

  it("creates a different id each time", () => {
    expect(new Set(Array.from({ length: 2_000 }, createRequestId)).size).toBe(2_000);
  });
});
