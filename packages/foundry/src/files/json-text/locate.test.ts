import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EditPath } from "./edit.ts";
import { scanJson } from "./scan-json.ts";
import { locate } from "./testing/locate.ts";
import { withOrder } from "./testing/random-edits.ts";
import { formats, parseText, toText, trees } from "./testing/random-text.ts";

describe("locate", () => {
  it("finds every value of a text", () => {
    fc.assert(
      fc.property(trees, formats, (tree, format) => {
        const bytes = toText(tree, format);
        const index = scanJson(bytes);
        for (const [path, value] of valuesOf(parseText(bytes))) {
          const span = locate(bytes, path, index)!;
          const found = JSON.parse(bytes.toString("utf8", span.start, span.end));
          expect(withOrder(found)).toEqual(withOrder(value));
        }
      }),
    );
  });

  it.each<[EditPath]>([
    [["none"]],
    [["a", "b"]],
    [["l", 1]],
    [["l", -1]],
    [["l", "x"]],
    [["l", 0.5]],
    [["l", 0, 0]],
  ])("finds nothing at %j", (path) => {
    const bytes = Buffer.from('{"a":1,"l":[2]}');
    expect(locate(bytes, path, scanJson(bytes))).toBeUndefined();
  });

  it("tells a replacement character from half a pair of surrogates", () => {
    const bytes = Buffer.from('{"\\ud800":1,"\ufffd":2}');
    const index = scanJson(bytes);
    expect([locate(bytes, ["\ud800"], index), locate(bytes, ["\ufffd"], index)]).toEqual([
      { start: 10, end: 11 },
      { start: 18, end: 19 },
    ]);
  });
});

function valuesOf(value: unknown, path: EditPath = []): [EditPath, unknown][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    valuesOf(each, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [[path, value], ...inner];
}
