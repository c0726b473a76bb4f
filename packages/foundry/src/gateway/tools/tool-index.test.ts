import { expect, it } from "vitest";
import type { ServedTool } from "./served-upstream.ts";
import { ToolIndex } from "./tool-index.ts";

const tool = (name: string, description: string, parameters: readonly string[] = []): ServedTool => ({
  name,
  upstream: "one",
  isHidden: true,
  definition: {
    name,
    description,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(parameters.map((each) => [each, { type: "string" }])),
    },
    annotations: {},
    meta: {},
  },
});

const tools = [
  tool("github__list_issues", "List the issues of a repository", ["repo", "state"]),
  tool("github__create_issue", "Create an issue", ["repo", "title"]),
  tool("mail__sendMessage", "Send a message to a person", ["recipient"]),
  tool("calendar__list_events", "List the events of a day", ["day"]),
];
const find = (query: string, limit = 10) =>
  new ToolIndex(tools).search(query, limit).map(({ tool: found }) => found.name);

it.each([
  ["create an issue", "github__create_issue"],
  ["ISSUE lists", "github__list_issues"],
  ["send messages", "mail__sendMessage"],
  ["recipient", "mail__sendMessage"],
  ["events", "calendar__list_events"],
])("ranks the best tool for %j first", (query, name) => {
  expect(find(query)[0]).toBe(name);
});

it("finds nothing without a common word, and no more than asked for", () => {
  expect([find("kubernetes"), find("…"), find("list issue", 1)]).toEqual([[], [], ["github__list_issues"]]);
  expect(new ToolIndex([]).search("list", 5)).toEqual([]);
});
