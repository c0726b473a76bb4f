import { describe, expect, it } from "vitest";
import { isWaitParameter, shortestWait, waitsIn } from "./wait-parameters.ts";

const parameter = (name: string, schema: object) => ({
  name,
  schema: schema as Record<string, unknown>,
  isRequired: false,
});

describe("isWaitParameter", () => {
  it.each(["timeout", "timeout_seconds", "wait_seconds", "maxWaitMs", "timeoutMs", "delay", "wait_for_ms"])(
    "is true of a number named %s",
    (name) => {
      expect(isWaitParameter(parameter(name, { type: "number" }))).toBe(true);
    },
  );

  it.each([
    ["timeout", { type: "string" }],
    ["timeout", { type: "boolean" }],
    ["timeout", { type: ["string", "number"] }],
    ["waiting_list_id", { type: "integer" }],
    ["limit", { type: "integer" }],
    ["timeouts_count", { type: "integer" }],
    ["duration", { type: "number", description: "Length of the film" }],
  ])("is false of %s %j", (name, schema) => {
    expect(isWaitParameter(parameter(name, schema))).toBe(false);
  });

  it("is true of a duration that an operation takes", () => {
    const schema = { type: "number", description: "Duration of the operation in seconds" };
    expect(isWaitParameter(parameter("duration", schema))).toBe(true);
  });
});

describe("waitsIn", () => {
  it.each([
    [undefined, "", true],
    ["wait", "", true],
    ["wait-for-change", "", true],
    ["watch", "", true],
    ["execute", "Of execute: ends it then", true],
    ["get", "Default: 50", false],
    ["await_all", "", true],
    ["waiter", "", false],
  ])("of the action %s, described as %j, is %j", (action, description, expected) => {
    expect(waitsIn(action, parameter("timeout", { type: "number", description }))).toBe(expected);
  });
});

describe("shortestWait", () => {
  it.each([
    [{ type: "number", minimum: 0, maximum: 3600 }, 0],
    [{ type: "integer", minimum: 5 }, 5],
    [{ type: "number", exclusiveMinimum: 0 }, 1],
    [{ type: "number" }, 1],
    [{ type: "integer", default: 30 }, 1],
    [{ type: "number", maximum: 0.5 }, 0.5],
    [{ type: "number", minimum: -1 }, 0],
    [{ type: "integer", minimum: 10, multipleOf: 4 }, 12],
  ])("of %j is %j", (schema, expected) => {
    expect(shortestWait(parameter("timeout", schema))).toBe(expected);
  });
});
