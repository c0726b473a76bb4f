import { expect, it } from "vitest";
import { findDuplicateKeys } from "./duplicate-keys.ts";

it.each<[string, readonly (readonly (string | number)[])[]]>([
  ['{"a":1,"a":2}', [["a"]]],
  ['{"a":1,"\\u0061":2}', [["a"]]],
  [
    ' {"m": {"x": {"c": "a"} , "y": 1, "x": {"c": 2, "c": 3}}} ',
    [
      ["m", "x"],
      ["m", "x", "c"],
    ],
  ],
  ['[{"a":1},{"b":[0,{"a":"{","a":"}"}]}]', [[1, "b", 1, "a"]]],
  ['{"a":{"a":"a"},"b":["a","a",{"a":"\\"a\\",\\"a\\""}]}', []],
  ['{"__proto__":1,"constructor":2,"a":[]}', []],
  ["[]", []],
  ['"a"', []],
])("findDuplicateKeys(%j)", (text, paths) => {
  expect(findDuplicateKeys(text)).toEqual(paths);
});

it("reads text of any depth", () => {
  expect(findDuplicateKeys(`${'{"a":'.repeat(100_000)}{"b":1,"b":2}${"}".repeat(100_000)}`)[0]?.length).toBe(
    100_001,
  );
});
