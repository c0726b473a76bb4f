import { expect, it } from "vitest";
import { createColors } from "./colors.ts";

it.each<[string, boolean, Record<string, string>, boolean]>([
  ["on a terminal", true, {}, true],
  ["in a pipe", false, {}, false],
  ["where NO_COLOR is set", true, { NO_COLOR: "1" }, false],
  ["where NO_COLOR is empty", true, { NO_COLOR: "" }, true],
  ["where FORCE_COLOR is set", false, { FORCE_COLOR: "1" }, true],
  ["where both are set", false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
  ["where FORCE_COLOR is 0", true, { FORCE_COLOR: "0" }, false],
  ["on a terminal that knows none", true, { TERM: "dumb" }, false],
])("colours %s", (_where, isTerminal, env, isColoured) => {
  expect(createColors(isTerminal, env).red("x")).toBe(isColoured ? "\u001b[31mx\u001b[39m" : "x");
});
