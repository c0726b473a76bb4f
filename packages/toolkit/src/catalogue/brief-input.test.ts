import { describe, expect, it } from "vitest";
import { isImpliedByName, withoutBounds } from "./brief-input.ts";

describe("a text", () => {
  it.each([
    ["Id of the task", "task_id"],
    ["The task's id.", "task_id"],
    ["A file path", "file-path"],
    ["", "task_id"],
  ])("%j is implied by the name %s", (text, name) => {
    expect(isImpliedByName(text, name)).toBe(true);
  });

  it.each([
    ["Id of the task before", "task_id"],
    ["Id of the task; 0 for none", "task_id"],
    ["Ids of tasks", "task_id"],
    ["The tool's name", "tool"],
    ["Какой", "task_id"],
  ])("%j is not implied by the name %s", (text, name) => {
    expect(isImpliedByName(text, name)).toBe(false);
  });
});

describe("a schema without its bounds", () => {
  it("keeps properties named like a bound, and bounds inside oneOf and not", () => {
    const oneOf = [
      { type: "integer", maximum: 5 },
      { type: "integer", minimum: 6 },
    ];
    expect(
      withoutBounds({
        type: "object",
        properties: {
          pattern: { type: "string", pattern: "^a" },
          list: { type: "array", items: { type: "string", maxLength: 3 }, maxItems: 3 },
          either: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] },
          one: { oneOf },
          none: { not: { minimum: 3 } },
          record: { type: "object", propertyNames: { type: "string", maxLength: 9 } },
          some: { type: "object", propertyNames: { type: "string", enum: ["a"], maxLength: 9 } },
        },
        additionalProperties: { type: "string", minLength: 1 },
      }),
    ).toEqual({
      type: "object",
      properties: {
        pattern: { type: "string" },
        list: { type: "array", items: { type: "string" } },
        either: { anyOf: [{ type: "integer" }, { type: "null" }] },
        one: { oneOf },
        none: { not: { minimum: 3 } },
        record: { type: "object" },
        some: { type: "object", propertyNames: { type: "string", enum: ["a"] } },
      },
      additionalProperties: { type: "string" },
    });
  });
});
