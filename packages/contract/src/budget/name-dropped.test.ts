import { describe, expect, it } from "vitest";
import { nameDropped } from "./name-dropped.ts";
import { ownIdOf } from "./reduction-levels.ts";

const dropAll = (pointer: string, total: number) => ({ pointer, kind: "items" as const, kept: 0, total });

describe("nameDropped", () => {
  it("names an item by its id if no other item has it, else by its pointer", () => {
    const data = {
      kept: [{ id: "a", inner: { x: { task_id: "b" } } }],
      gone: [
        { id: "a" },
        { id: "b" },
        { id: "c" },
        { id: "c" },
        { id: "d", inner: [{ id: "e" }] },
        { id: "e" },
      ],
      odd: [{ id: "/kept" }, { id: "f" }, 7],
      later: { last: { id: "f" } },
    };
    const parts = [dropAll("/gone", 6), dropAll("/odd", 3)];
    expect(nameDropped(parts, data, 100)).toEqual([
      "/gone/0",
      "/gone/1",
      "c",
      "/gone/3",
      "d",
      "/gone/5",
      "/odd/0",
      "/odd/1",
      "/odd/2",
    ]);
    expect(nameDropped(parts, data, 3)).toEqual(["/gone", "/odd", "/gone/0"]);
    expect(nameDropped(parts, data, 1)).toEqual(["/gone"]);
  });

  it("ignores undefined members, both as items and as ids", () => {
    const data = { map: { a: undefined, b: { id: undefined, own_id: undefined, task_id: "t" } } };
    const part = { pointer: "/map", kind: "entries" as const, kept: 0, total: 2 };
    expect(nameDropped([part], data, 100)).toEqual(["t"]);
    expect(ownIdOf(data.map.b)).toBe("t");
  });

  it("names items of a paged payload by pointer, because rows of other pages may have the same id", () => {
    const data = { rows: [], other: [{ id: "a" }] };
    const page = { rows: "rows" };
    expect(nameDropped([dropAll("/other", 1)], data, 100, { keysOf: new WeakMap(), page })).toEqual([
      "/other/0",
    ]);
  });

  it("limits names to a third of the budget and always returns the first one", () => {
    const gone = Array.from({ length: 9 }, (_, index) => ({ id: `${index}`.repeat(40) }));
    const take = (maxTokens: number) =>
      nameDropped([dropAll("/gone", 9)], { gone }, 9, { keysOf: new WeakMap(), maxTokens }).length;
    expect([1, 119, 240, 359, 360, 20_000].map(take)).toEqual([1, 1, 2, 3, 3, 9]);
  });

  it("names the nearest object or list above parts that are more than its names", () => {
    const text = (pointer: string) => ({ pointer, kind: "text" as const, kept: 1, total: 900 });
    const tasks = Array.from({ length: 40 }, (_, index) => ({ title: "t", note: `${index}` }));
    const parts = [
      ...tasks.flatMap((_, index) => [
        text(`/phases/0/tasks/${index}/note`),
        text(`/phases/0/tasks/${index}/title`),
      ]),
      text("/summary"),
    ];
    const data = { phases: [{ tasks }], summary: "s" };
    const take = (maxNames: number) => nameDropped(parts, data, maxNames);
    expect(take(81)).toEqual(parts.map(({ pointer }) => pointer));
    expect(take(41)).toEqual([...tasks.map((_, index) => `/phases/0/tasks/${index}`), "/summary"]);
    expect(take(3)).toEqual(["/phases/0/tasks", "/summary", "/phases/0/tasks/0/note"]);
    expect(take(2)).toEqual(["/phases/0/tasks", "/summary"]);
  });

  it("names the parent of a part whose own pointer is too long to be a name", () => {
    const key = "k".repeat(400);
    const parts = [{ pointer: `/map/${key}`, kind: "field" as const, kept: 0, total: 1 }];
    expect(nameDropped(parts, { map: { [key]: 1 } }, 10)).toEqual(["/map"]);
  });

  it("searches at most 10,000 dropped values and names later items by pointer", () => {
    const vast = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key-${index}`, index]));
    for (const inner of [vast, Object.values(vast), [vast], { vast: [[], vast] }]) {
      const data = { gone: [{ id: "a" }, { id: "b", inner }, { id: "c" }] };
      expect(nameDropped([dropAll("/gone", 3)], data, 100)).toEqual(["a", "b", "/gone/2"]);
    }
    const nested = { gone: [{ id: "a", inner: [{ id: "b" }, vast] }, { id: "b" }] };
    expect(nameDropped([dropAll("/gone", 2)], nested, 100)).toEqual(["a", "/gone/1"]);
  });
});
