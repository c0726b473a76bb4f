import { expect, test } from "vitest";
import { doFilesOverlap, filesOf } from "./file-overlap.ts";

const overlap = (a: string, b: string) =>
  doFilesOverlap(filesOf({ file_path: a }), filesOf({ file_path: b }));

test.each([
  ["src/a.ts", "src/a.ts", true],
  ["src/a.ts", "./src//a.ts", true],
  ["src\\a.ts", "src/b/../a.ts", true],
  ["src/a.ts:10-20", "`src/a.ts`", true],
  ["src", "src/a.ts", true],
  ["src/", "src/a.ts", true],
  ["src/**/*.ts", "src/deep/a.ts", true],
  [".", "src/a.ts", true],
  ["src/a.ts, src/b.ts", "src/b.ts", true],
  ["src/a.ts", "src/a.tsx", false],
  ["src/a", "src/ab/c.ts", false],
  ["src/a.ts", "test/a.ts", false],
  ["", "src/a.ts", false],
])("%j and %j overlap: %s", (a, b, expected) => {
  expect([overlap(a, b), overlap(b, a)]).toEqual([expected, expected]);
});

test("a task without a file names none", () => {
  expect([filesOf({}), filesOf({ file_path: 7 })]).toEqual([[], []]);
});
