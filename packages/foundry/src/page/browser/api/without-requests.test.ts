import { describe, expect, it } from "vitest";
import { withoutRequests } from "./without-requests.ts";

const call = (tool: string, args: object) => `POST /api/tools/${tool} ${JSON.stringify(args)}`;
const get = call("spec", { action: "get", spec_id: "a" });
const odd = call("task", { action: "add", title: 'a } "b" {', metadata: { labels: [{}] } });

describe("withoutRequests", () => {
  it.each([
    ["Try again.", "Try again."],
    [`Read it again: ${get}. Then repeat.`, "Read it again. Then repeat."],
    [`Look at it: ${odd}; or undo it: ${get}.`, "Look at it; or undo it."],
    [`Nothing is wrong: ${get} reads it.`, "Nothing is wrong: spec get reads it."],
    [`List the runs with ${get}, and use an id.`, "List the runs with spec get, and use an id."],
    ['Cut off: POST /api/tools/task {"action":"add","title":"x', "Cut off"],
  ])("shows %j as %j", (text, shown) => {
    expect(withoutRequests(text)).toBe(shown);
  });
});
