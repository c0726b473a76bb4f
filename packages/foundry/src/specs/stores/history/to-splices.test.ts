import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toInverse } from "../../../files/json-text/splice.ts";
import { ChunkedText } from "./restore-text.ts";
import { toSplices } from "./to-splices.ts";

const line = fc.oneof(
  fc.constantFrom("{\n", '"same": 1,\n', "},", "ü,", "\n", "x"),
  fc.nat(60).map((number) => `"task-${number}": "${"about it ".repeat(8)}",\n`),
);
const texts = fc.oneof(
  fc.array(line, { maxLength: 80, size: "max" }).map((lines) => Buffer.from(lines.join(""))),
  fc.uint8Array({ maxLength: 3_000, size: "max" }).map((bytes) => Buffer.from(bytes)),
);

function apply(text: Uint8Array, splices: ReturnType<typeof toSplices>): Buffer {
  const pieced = new ChunkedText(text);
  expect(pieced.apply(splices)).toBe(true);
  return Buffer.from(pieced.toBytes());
}

describe("toSplices", () => {
  it("leads from any text to any other, and back", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const splices = toSplices(before, after);
        expect(apply(before, splices).equals(after)).toBe(true);
        expect(apply(after, toInverse(splices)).equals(before)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["on lines", 2],
    ["on one line", undefined],
  ])("takes little of a text that was changed at both ends, and in the middle: %s", (_, indent) => {
    const ids = Array.from({ length: 500 }, (_each, index) => `task-${index}`);
    const document = (at: string, status: string, journal: readonly string[]) =>
      JSON.stringify(
        {
          at,
          nodes: Object.fromEntries(
            ids.map((id) => [id, { id, status: id === "task-250" ? status : "pending" }]),
          ),
          journal,
        },
        null,
        indent,
      );
    const before = Buffer.from(document("10:00", "pending", ["begun"]));
    const after = Buffer.from(document("11:30", "completed", ["begun", "done"]));
    const splices = toSplices(before, after);
    expect(splices.map(({ removed, inserted }) => [String(removed), String(inserted)]).slice(0, 2)).toEqual([
      ["0:0", "1:3"],
      ["pending", "completed"],
    ]);
    const size = splices.reduce((sum, { removed, inserted }) => sum + removed.length + inserted.length, 0);
    expect(size).toBeLessThan(60);
    expect(apply(before, splices).equals(after)).toBe(true);
  });

  it("finds nothing between a text and itself", () => {
    expect(toSplices(Buffer.from("same"), Buffer.from("same"))).toEqual([]);
  });
});
