import { describe, expect, it } from "vitest";
import { readDefinition } from "../observe/definition.ts";
import { pagingParametersOf, takesCursor } from "./paging-parameters.ts";

const text = { type: "string" };
const number = { type: "integer" };

function namesOf(properties: object) {
  const definition = readDefinition({ name: "list", inputSchema: { type: "object", properties } })!;
  const { cursor, limit } = pagingParametersOf(definition);
  return [cursor?.name, limit?.name, takesCursor(definition)];
}

describe("paging parameters", () => {
  it.each([
    [{ limit: number, cursor: text }, ["cursor", "limit", true]],
    [{ pageToken: text, pageSize: number }, ["pageToken", "pageSize", true]],
    [{ next_token: text, max_results: number, count: number }, ["next_token", "max_results", true]],
    [{ after: text, per_page: number }, ["after", "per_page", false]],
    [{ after: { type: "string", format: "date" } }, [undefined, undefined, false]],
    [
      { after: { type: "string", description: "Only what came after this time" } },
      [undefined, undefined, false],
    ],
    [
      { position: { type: "string", description: "The cursor of the previous page" } },
      ["position", undefined, true],
    ],
    [{ offset: number, page: number, limit: number }, [undefined, "limit", false]],
    [{ cursor: number, limit: text }, [undefined, undefined, false]],
    [
      { cursor: { anyOf: [text, { type: "null" }] }, limit: { type: ["integer", "null"] } },
      ["cursor", "limit", true],
    ],
  ])("of %j", (properties, names) => {
    expect(namesOf(properties)).toEqual(names);
  });
});
