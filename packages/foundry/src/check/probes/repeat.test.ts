import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstDifference } from "./repeat.ts";

describe("firstDifference", () => {
  it("finds none between equal values", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(firstDifference(value, structuredClone(value))).toBeUndefined();
      }),
    );
  });

  it.each([
    [{ a: 1 }, { a: 2 }, "$.a"],
    [{ a: [1, 2] }, { a: [1, 3] }, "$.a[1]"],
    [{ a: [1] }, { a: [1, 2] }, "$.a.length"],
    [{ a: 1 }, {}, "$.a"],
    [{}, { b: null }, "$.b"],
    [{ a: { b: "x" } }, { a: { b: 1 } }, "$.a.b"],
    [{ category: "a" }, { category: "b" }, "$.category"],
    [{ checked_at: 1 }, { checked_at: "soon" }, "$.checked_at"],
    [{ a: "2026-11-16T10:00:00Z one" }, { a: "2026-11-16T10:00:01Z two" }, "$.a"],
  ])("of %j and %j is at %s%s", (a, b, path) => {
    expect(firstDifference(a, b)).toBe(path);
  });

  it.each([
    [{ uptime_ms: 1 }, { uptime_ms: 2 }],
    [{ durationMs: 1.5 }, { durationMs: 2 }],
    [{ checked_at: "a" }, { checked_at: "b" }],
    [{ seen: "2026-11-16T10:00:00Z" }, { seen: "2026-11-16T10:00:01Z" }],
    [[{ time: 1 }], [{ time: 2 }]],
    [{ took: 3 }, { took: 4 }],
    [{ latency: 3 }, { latency: 4 }],
    [{ text: "As of 2026-11-16T10:00:00.123Z." }, { text: "As of 2026-11-16T10:00:01.4Z." }],
    [{ text: "seen 2026-11-16 10:00" }, { text: "seen 2026-11-16 10:01" }],
    [{ text: '{"duration_ms":9.5,"n":1,"took" : 3}' }, { text: '{"duration_ms":12,"n":1,"took" : 14}' }],
    [["Mon, 16 Nov 2026 10:00:00 GMT"], ["Mon, 16 Nov 2026 10:00:01 GMT"]],
  ])("of %j and %j is only the time", (a, b) => {
    expect(firstDifference(a, b)).toBeUndefined();
  });

  it.each([
    [{ rows: [1, 2, 3] }, { rows: [1, 2] }, undefined],
    [{ text: "a".repeat(100) }, { text: "a".repeat(91) }, undefined],
    [{ rows: [1, 2, 3] }, { rows: [1, 3] }, "$.rows[1]"],
    [{ rows: [1, 2, 3, 4] }, { rows: [1, 2] }, "$.rows.length"],
    [{ text: "a".repeat(100) }, { text: "a".repeat(80) }, "$.text"],
    [{ text: `b${"a".repeat(99)}` }, { text: "a".repeat(99) }, "$.text"],
    [{ n: 1 }, { n: 2 }, "$.n"],
  ])("of %j and %j, both cut to a budget, is at %s", (a, b, path) => {
    expect(firstDifference(a, b, { isCut: true })).toBe(path);
  });

  it("does not overflow on deep values", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level++) deep = [deep];
    expect(firstDifference(deep, [deep])).toBeUndefined();
  });
});
