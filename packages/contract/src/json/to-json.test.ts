import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyValue, jsonObject } from "../testing/arbitraries.ts";
import { toJsonText, toJsonValue } from "./to-json.ts";

const nested = (levels: number): object => {
  let value: object = {};
  for (let level = 1; level < levels; level++) value = level % 2 === 0 ? { a: value } : [value];
  return value;
};

const cycle: Record<string, unknown> = { name: "loop" };
cycle["list"] = [{ again: cycle }];

class Money {
  readonly amount = 5;
  toJSON() {
    return `${this.amount} EUR`;
  }
}

describe("toJsonText", () => {
  it.each<[string, object, string, string]>([
    ["NaN", { a: { b: [1, Number.NaN] } }, "$.a.b[1]", "NaN"],
    ["infinity", { a: Number.POSITIVE_INFINITY }, "$.a", "Infinity"],
    ["a BigInt", { a: [1n] }, "$.a[0]", "a bigint"],
    ["a function", { go: () => 1 }, "$.go", "a function"],
    ["a symbol", [Symbol("s")], "$[0]", "a symbol"],
    ["a Map", { map: new Map() }, "$.map", "a Map"],
    ["a Set", { set: new Set() }, "$.set", "a Set"],
    ["a promise nobody awaited", { later: Promise.resolve(1) }, "$.later", "a Promise"],
    ["an Error", { fault: new RangeError("x") }, "$.fault", "an Error"],
    ["binary data", { bytes: new Uint8Array(2) }, "$.bytes", "binary data"],
    ["a Buffer", { bytes: Buffer.from("x") }, "$.bytes", "binary data"],
    ["an invalid date", { when: new Date(Number.NaN) }, "$.when", "an invalid date"],
    ["a cycle", cycle, "$.list[0].again", "a cycle"],
    ["an odd key", { "a b": { "": Number.NaN } }, '$["a b"][""]', "NaN"],
  ])("returns the JSON path of %s", (_, value, path, found) => {
    expect(toJsonText(value)).toEqual({ ok: false, problem: { path, found } });
  });

  it("reports a getter that throws, without its message", () => {
    const hostile = {
      ok: 1,
      get secret(): never {
        throw new Error("/etc/passwd");
      },
    };
    expect(toJsonText(hostile)).toEqual({
      ok: false,
      problem: { path: "$.secret", found: "a value that throws when it is read" },
    });
  });

  it("reads every member once when it copies, so that value and text agree", () => {
    let reads = 0;
    const flip = { enumerable: true, get: () => (reads++ % 2 === 0 ? "even" : Symbol("odd")) };
    const written = toJsonValue(Object.create(Object.prototype, { flip }));
    expect(written).toEqual({ ok: true, value: { flip: "even" }, repaired: [] });
    expect(reads).toBe(1);
  });

  it("writes what JSON.stringify writes of dates, toJSON, boxed values, undefined and class instances", () => {
    class Row {
      readonly id = 1;
      method() {}
    }
    const value = {
      date: new Date(0),
      money: new Money(),
      boxed: [Object("s"), Object(1), Object(true)],
      gone: undefined,
      holes: [undefined, 1],
      row: new Row(),
    };
    const written = toJsonText(value);
    expect(written.ok && written.text).toBe(JSON.stringify(value));
  });

  it("replaces lone surrogates in values and keys and returns their paths", () => {
    const written = toJsonText({ text: "a\ud800b", list: ["\udc00"], "k\ud801": 1, fine: "😀" });
    expect(written).toEqual({
      ok: true,
      value: { text: "a\ufffdb", list: ["\ufffd"], "k\ufffd": 1, fine: "😀" },
      text: '{"text":"a\ufffdb","list":["\ufffd"],"k\ufffd":1,"fine":"😀"}',
      repaired: ["$.text", "$.list[0]", '$["k\ufffd"]'],
    });
  });

  it("keeps a literal backslash before ud", () => {
    expect(toJsonText({ path: "C:\\udata" })).toEqual({
      ok: true,
      value: { path: "C:\\udata" },
      text: '{"path":"C:\\\\udata"}',
      repaired: [],
    });
  });

  it("allows a thousand levels of nesting and no more", () => {
    expect(toJsonText(nested(1_000)).ok).toBe(true);
    for (const levels of [1_001, 5_000, 200_000]) {
      const written = toJsonText(nested(levels));
      expect(!written.ok && written.problem.found).toBe("nesting deeper than 1000 levels");
    }
  });

  it("keeps keys named __proto__ and constructor as data", () => {
    const value: unknown = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"when":"\\ud800"}',
    );
    const written = toJsonText(value as object);
    expect(written.ok && written.text).toBe(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"when":"\ufffd"}',
    );
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("refuses a value that no string can hold in bounded time", () => {
    let shared: object = {};
    for (let level = 0; level < 40; level++) shared = { a: shared, b: shared };
    const sparse: unknown[] = [];
    sparse[4_294_967_294] = 1;
    const endless = new Proxy([], {
      get: (target, key) => (key === "length" ? Number.POSITIVE_INFINITY : Reflect.get(target, key)),
    });
    const text = "x".repeat(10_000_000);
    for (const value of [shared, { sparse }, { endless }, { texts: Array<string>(1_000).fill(text) }]) {
      expect(toJsonText(value)).toMatchObject({
        ok: false,
        problem: { found: "more than one text can hold" },
      });
    }
  });

  it("calls toJSON on a list and unboxes all kinds of primitives", () => {
    expect(toJsonText({ list: Object.assign([1], { toJSON: () => 5 }) })).toMatchObject({
      ok: true,
      text: '{"list":5}',
    });
    expect(toJsonText({ boxed: Object(1n) })).toMatchObject({ ok: false, problem: { found: "a bigint" } });
  });

  it("returns the same value, unchanged, when nothing needs conversion", () => {
    fc.assert(
      fc.property(jsonObject, (value) => {
        const written = toJsonText(value);
        expect(written).toEqual({ ok: true, value, text: JSON.stringify(value), repaired: [] });
        expect(written.ok && written.value).toBe(value);
      }),
    );
  });

  it("never throws, and its text parses to the value that it returns", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anyValue), (value) => {
        const written = toJsonText(value);
        if (written.ok) expect(JSON.stringify(JSON.parse(written.text))).toBe(JSON.stringify(written.value));
        else expect(written.problem.path).toMatch(/^\$/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("toJsonValue", () => {
  it("agrees with JSON.stringify wherever it finds no problem", () => {
    fc.assert(
      fc.property(
        fc.anything({ withDate: true, withBoxedValues: true, withNullPrototype: true }),
        (value) => {
          const plain = toJsonValue(value);
          if (plain.ok) expect(JSON.stringify(plain.value)).toBe(JSON.stringify(value));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
