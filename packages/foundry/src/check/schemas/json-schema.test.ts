import { expect, it } from "vitest";
import { resolveRef } from "./json-schema.ts";

const root = { $defs: { "a/b": [{ c: 1 }], "d e": 2 } };

it.each([
  ["#", root],
  ["#/$defs/a~1b/0/c", 1],
  ["#/$defs/d%20e", 2],
  ["#/$defs/d%e", undefined],
  ["#/$defs/toString", undefined],
  ["#/$defs/a~1b/0/c/d", undefined],
  ["#name", undefined],
  ["https://example.com/#/$defs", undefined],
  [5, undefined],
])("resolves %s", (ref, expected) => {
  expect(resolveRef(ref, root)).toEqual(expected);
});
