import { expect, it } from "vitest";
import { isPlural, toKeyWords } from "./key-words.ts";

it.each([
  ["specIds", "spec_id"],
  ["spec-ids", "spec_id"],
  ["SPEC_ID", "spec_id"],
  ["HTTPServer", "http_server"],
  ["categories", "category"],
  ["boxes", "box"],
  ["matches", "match"],
  ["status", "status"],
  ["address", "address"],
  ["addresses", "address"],
  ["analysis", "analysis"],
  ["$", ""],
])("reads %s as %s", (key, expected) => {
  expect(toKeyWords(key)).toBe(expected);
});

it("tells plurals", () => {
  expect(["berths", "open_tasks", "berth", "status"].filter(isPlural)).toEqual(["berths", "open_tasks"]);
});
