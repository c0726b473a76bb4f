import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits, type Edit } from "./edit.ts";
import { recipes, toEdits, withOrder } from "./testing/random-edits.ts";

const document = { a: 1, list: ["x", "y"], b: { c: { d: 2 }, e: [] } };

describe("applyEdits", () => {
  it.each<[string, Edit[], unknown]>([
    ["replaces in place", [{ op: "set", path: ["a"], value: 2 }], { ...document, a: 2 }],
    [
      "replaces in place, whatever it should stand behind",
      [{ op: "set", path: ["a"], value: 2, after: "list" }],
      { ...document, a: 2 },
    ],
    ["adds at the end", [{ op: "set", path: ["z"], value: 1 }], { ...document, z: 1 }],
    [
      "adds behind a member",
      [{ op: "set", path: ["z"], value: 1, after: "a" }],
      { a: 1, z: 1, list: document.list, b: document.b },
    ],
    [
      "adds at the end where the member to stand behind is missing",
      [{ op: "set", path: ["z"], value: 1, after: "none" }],
      { ...document, z: 1 },
    ],
    ["goes into lists", [{ op: "set", path: ["list", 1], value: "z" }], { ...document, list: ["x", "z"] }],
    [
      "appends to a list",
      [
        { op: "set", path: ["list", 2], value: "z" },
        { op: "insert", path: ["list"], index: 3, value: "zz" },
      ],
      { ...document, list: ["x", "y", "z", "zz"] },
    ],
    [
      "inserts before an item",
      [{ op: "insert", path: ["list"], index: 1, value: "z" }],
      { ...document, list: ["x", "z", "y"] },
    ],
    ["removes an item", [{ op: "remove", path: ["list", 0] }], { ...document, list: ["y"] }],
    ["removes a member", [{ op: "remove", path: ["list"] }], { a: 1, b: document.b }],
    [
      "removes nothing where nothing is",
      [
        { op: "remove", path: ["none"] },
        { op: "remove", path: ["list", 2] },
      ],
      document,
    ],
    [
      "applies each edit to what the ones before have left",
      [
        { op: "set", path: ["new"], value: { list: [] } },
        { op: "insert", path: ["new", "list"], index: 0, value: {} },
        { op: "set", path: ["new", "list", 0, "x"], value: 1 },
        { op: "remove", path: ["a"] },
        { op: "set", path: ["a"], value: 3 },
      ],
      { list: document.list, b: document.b, new: { list: [{ x: 1 }] }, a: 3 },
    ],
  ])("%s", (_, edits, wanted) => {
    expect(withOrder(applyEdits(document, edits))).toEqual(withOrder(wanted));
  });

  it("sets a member of any name, including __proto__", () => {
    const after = applyEdits({ a: {} }, [
      { op: "set", path: ["a", "__proto__"], value: { x: 1 } },
      { op: "set", path: ["a", "__proto__", "y"], value: 2 },
    ]);
    expect(JSON.stringify(after)).toBe('{"a":{"__proto__":{"x":1,"y":2}}}');
    expect(Object.getPrototypeOf(after.a)).toBe(Object.prototype);
    expect(() => applyEdits({}, [{ op: "set", path: ["__proto__", "x"], value: 1 }])).toThrow();
    expect("x" in {}).toBe(false);
  });

  it("changes neither the document nor the values of the edits", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(recipes, { maxLength: 8 }), (before, wanted) => {
        const edits = toEdits(before, wanted);
        const copy = JSON.stringify([before, edits]);
        applyEdits(before, edits);
        expect(JSON.stringify([before, edits])).toBe(copy);
      }),
    );
  });

  it("gives the same result one by one and all at once", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(recipes, { maxLength: 8 }), (before, wanted) => {
        const edits = toEdits(before, wanted);
        const oneByOne = edits.reduce((current, edit) => applyEdits(current, [edit]), before);
        expect(withOrder(applyEdits(before, edits))).toEqual(withOrder(oneByOne));
      }),
    );
  });

  it("shares unchanged values", () => {
    const after = applyEdits(document, [{ op: "set", path: ["b", "e"], value: [1] }]);
    expect(after.list).toBe(document.list);
    expect(after.b.c).toBe(document.b.c);
  });

  it.each<[Edit]>([
    [{ op: "set", path: [], value: 1 }],
    [{ op: "set", path: ["a", "x"], value: 1 }],
    [{ op: "set", path: ["none", "x"], value: 1 }],
    [{ op: "remove", path: ["toString", "x"] }],
    [{ op: "insert", path: ["b"], index: 0, value: 1 }],
    [{ op: "insert", path: ["list", 5], index: 0, value: 1 }],
  ])("throws for a place that the document does not have: %j", (edit) => {
    const place = `Cannot ${edit.op} at ${edit.path.join(".")}: the document has no such place`;
    expect(() => applyEdits(document, [edit])).toThrow(place);
  });
});
