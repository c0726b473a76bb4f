import { describe, expect, it } from "vitest";
import { byLikeness, nearest, suggest } from "./did-you-mean.ts";

describe("the nearest name", () => {
  it.each([
    ["taks", ["spec", "task", "server"], "task"],
    ["spec-id", ["spec_id", "task_id"], "spec_id"],
    ["sp", ["task", "spec"], "spec"],
    ["SPEC", ["task", "spec"], "spec"],
    ["banana", ["task", "spec"], undefined],
    ["", ["task"], undefined],
    ["x", [], undefined],
  ])("of %s among %j is %s", (written, names, wanted) => {
    expect(nearest(written, names)).toBe(wanted);
  });

  it("stands first in a suggestion, and a long list is cut", () => {
    expect(byLikeness("lst", ["get", "list"])).toEqual(["list", "get"]);
    const many = Array.from({ length: 40 }, (_, index) => `name-${index}`);
    expect(suggest("zzz", many)).toMatch(/^Use one of: (name-\d+, ){9}name-\d+ and 30 more\.$/);
    expect(suggest("x", [])).toBe("There are none.");
  });

  it("costs little, however long the text", () => {
    expect(nearest("x".repeat(1_000_000), ["task", "spec"])).toBeUndefined();
  });
});
