import { describe, expect, it } from "vitest";
import { findAffectedTests } from "../../scripts/affected-tests.ts";

const sources = new Map([
  ["packages/contract/src/index.ts", 'export { a } from "./a.ts";'],
  ["packages/contract/src/a.ts", "export const a = 1;"],
  ["packages/contract/src/b.ts", "export const b = 1;"],
  ["packages/contract/src/a.test.ts", 'import { a } from "./a.ts";'],
  ["packages/contract/src/b.test.ts", 'import { b } from "./b.ts";'],
  ["packages/contract/src/a.prove.test.ts", 'import { a } from "./a.ts";'],
  ["packages/toolkit/src/tool.ts", 'import { a } from "@foundry-mcp/contract";'],
  ["packages/toolkit/src/tool.test.ts", 'const t = await import("./tool.ts");'],
  ["test/tool.test.ts", 'import { tool } from "#built/toolkit/tool.js";'],
  ["test/layering.test.ts", ""],
]);

describe("the tests that a change affects", () => {
  it.each([
    [
      "packages/contract/src/a.ts",
      [
        "packages/contract/src/a.test.ts",
        "packages/toolkit/src/tool.test.ts",
        "test/layering.test.ts",
        "test/tool.test.ts",
      ],
    ],
    ["packages/contract/src/b.ts", ["packages/contract/src/b.test.ts", "test/layering.test.ts"]],
    ["packages/contract/src/b.test.ts", ["packages/contract/src/b.test.ts", "test/layering.test.ts"]],
    ["README.md", ["test/layering.test.ts"]],
  ])("by importing it, through any number of files: %s", (changed, tests) => {
    expect(findAffectedTests(sources, [changed])).toEqual(tests);
  });

  it("are none without a change", () => {
    expect(findAffectedTests(sources, [])).toEqual([]);
  });
});
