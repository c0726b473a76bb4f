import { describe, expect, it } from "vitest";
import { createRequestId, resolveRequestId } from "./request-id.ts";

describe("the id of a call", () => {
  it("is the caller's where it has the form of one", () => {
    expect(resolveRequestId("a_B-9")).toEqual({ requestId: "a_B-9" });
    expect(resolveRequestId("x".repeat(128))).toEqual({ requestId: "x".repeat(128) });
  });

  it.each([
    ["with space", "with space"],
    [42, "42"],
    ["x".repeat(300), "x".repeat(256)],
    ["", ""],
  ])("is new where %j has not, which is told beside it", (given, told) => {
    expect(resolveRequestId(given)).toEqual({
      requestId: expect.stringMatching(/^req_[0-9a-f]{12}$/),
      clientRequestId: told,
    });
  });

  it.each([undefined, null, {}, true])("is new where nothing was given: %j", (given) => {
    expect(Object.keys(resolveRequestId(given))).toEqual(["requestId"]);
  });

  it("is never the same twice", () => {
    expect(new Set(Array.from({ length: 2_000 }, createRequestId)).size).toBe(2_000);
  });
});
