import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits, type Edit } from "./edit.ts";
import { editText } from "./edit-text.ts";
import { scanJson } from "./scan-json.ts";
import { type Splice, toInverse } from "./splice.ts";
import { lineDiff, linesOf } from "./testing/line-diff.ts";
import { locate } from "./testing/locate.ts";
import { recipes, toEdit, toEdits, withOrder } from "./testing/random-edits.ts";
import { formats, parseText, toText, trees } from "./testing/random-text.ts";

const texts = fc.tuple(trees, formats).map(([tree, format]) => toText(tree, format));
const edit = (text: string, ...edits: Edit[]) =>
  Buffer.concat(editText(Buffer.from(text), edits).chunks).toString();

describe("editText", () => {
  it("agrees with applyEdits and returns the new index, in any format", () => {
    fc.assert(
      fc.property(texts, fc.array(recipes, { minLength: 1, maxLength: 8 }), (bytes, wanted) => {
        const document = parseText(bytes);
        const edits = toEdits(document, wanted);
        const patch = editText(bytes, edits);
        const after = Buffer.concat(patch.chunks);
        expect(withOrder(parseText(after))).toEqual(withOrder(applyEdits(document, edits)));
        expect(patch.size).toBe(after.length);
        expect(patch.index).toEqual(scanJson(after));
      }),
      { numRuns: 1_000 },
    );
  });

  it("keeps all other bytes without copying them", () => {
    fc.assert(
      fc.property(texts, fc.array(recipes, { maxLength: 4 }), (bytes, wanted) => {
        const { chunks } = editText(bytes, toEdits(parseText(bytes), wanted));
        const kept = chunks.filter((chunk) => isOf(bytes, chunk));
        // Kept ranges are in the order of the old text and do not touch, because touching ranges are joined.
        for (const [at, chunk] of kept.slice(1).entries())
          expect(chunk.byteOffset).toBeGreaterThan(kept[at]!.byteOffset + kept[at]!.length - 1);
        for (const [at, chunk] of chunks.slice(1).entries())
          expect(isOf(bytes, chunk) || isOf(bytes, chunks[at]!)).toBe(true);
      }),
    );
  });

  it("returns splices that turn the old text into the new one and back", () => {
    fc.assert(
      fc.property(texts, fc.array(recipes, { maxLength: 4 }), (bytes, wanted) => {
        const { chunks, splices } = editText(bytes, toEdits(parseText(bytes), wanted));
        const after = Buffer.concat(chunks);
        expect(spliced(bytes, splices).equals(after)).toBe(true);
        expect(spliced(after, toInverse(splices)).equals(bytes)).toBe(true);
        // Splices do not touch, so the text between two splices is old text.
        for (const [at, { at: next }] of splices.slice(1).entries())
          expect(next).toBeGreaterThan(splices[at]!.at + splices[at]!.removed.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it("changes only the lines of the edited values", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.nat(8),
        formats,
        recipes,
        (value, width, format, recipe) => {
          const lines = JSON.stringify({ hierarchy: value, a: [value] }, null, width);
          const bytes = Buffer.from(lines.replaceAll("\n", format.newline) + format.end);
          const wanted = toEdit(parseText(bytes), recipe);
          if (wanted === undefined) return;
          const after = Buffer.concat(editText(bytes, [wanted]).chunks);
          const old = wanted.op === "insert" ? undefined : locate(bytes, wanted.path, scanJson(bytes));
          const fresh = wanted.op === "remove" ? "" : JSON.stringify(wanted.value, null, 1);
          const { removed, added } = lineDiff(bytes.toString(), after.toString());
          expect(removed.length).toBeLessThanOrEqual(
            2 + (old ? linesOf(bytes.toString("utf8", old.start, old.end)).length : 0),
          );
          expect(added.length).toBeLessThanOrEqual(2 + linesOf(fresh).length);
        },
      ),
    );
  });

  it("leaves a text without edits unchanged, in one chunk", () => {
    fc.assert(
      fc.property(texts, (bytes) => {
        const index = scanJson(bytes);
        expect(editText(bytes, [], index)).toEqual({
          chunks: [bytes],
          splices: [],
          size: bytes.length,
          index,
        });
      }),
    );
  });

  it("leaves a text unchanged if it already has the value", () => {
    const bytes = Buffer.from('{"a": 1.0, "b": {"c": "\\u2014", "d": [1e2]}}');
    const { chunks, splices } = editText(bytes, [
      { op: "set", path: ["a"], value: 1 },
      { op: "set", path: ["b"], value: { c: "\u2014", d: [100] } },
      { op: "remove", path: ["none"] },
    ]);
    expect(chunks.map(String)).toEqual([bytes.toString()]);
    expect(splices).toEqual([]);
  });

  it.each<[string, string, Edit[], string]>([
    ["minified", '{"a":1}', [{ op: "set", path: ["b"], value: { c: [1, 2] } }], '{"a":1,"b":{"c":[1,2]}}'],
    [
      "Python's",
      '{"a": 1}',
      [{ op: "set", path: ["b"], value: { c: [1, 2] } }],
      '{"a": 1, "b": {"c": [1, 2]}}',
    ],
    [
      "two spaces",
      '{\n  "a": 1\n}\n',
      [{ op: "set", path: ["b"], value: [1] }],
      '{\n  "a": 1,\n  "b": [\n    1\n  ]\n}\n',
    ],
    [
      "tabs, CRLF",
      '{\r\n\t"a" : 1\r\n}',
      [{ op: "set", path: ["b"], value: [1] }],
      '{\r\n\t"a" : 1,\r\n\t"b" : [\r\n\t\t1\r\n\t]\r\n}',
    ],
    ["no indent", '{\n"a": 1\n}', [{ op: "set", path: ["b"], value: [1] }], '{\n"a": 1,\n"b": [\n1\n]\n}'],
    [
      "an empty list",
      '{\n  "a": []\n}',
      [{ op: "insert", path: ["a"], index: 0, value: 1 }],
      '{\n  "a": [\n    1\n  ]\n}',
    ],
    [
      "an empty object",
      '{\n  "a": { }\n}',
      [{ op: "set", path: ["a", "b"], value: {} }],
      '{\n  "a": {\n    "b": {}\n  }\n}',
    ],
    ["an empty root", "{}", [{ op: "set", path: ["a"], value: [1, 2] }], '{"a":[1,2]}'],
    [
      "a list on one line",
      '{\n  "a": [1, 2]\n}',
      [{ op: "insert", path: ["a"], index: 2, value: [3, 4] }],
      '{\n  "a": [1, 2, [3, 4]]\n}',
    ],
    [
      "a list on one line that is replaced",
      '{\n  "a": [1, 2]\n}',
      [{ op: "set", path: ["a"], value: [3, 4] }],
      '{\n  "a": [3, 4]\n}',
    ],
    [
      "commas first",
      '{ "a": 1\n, "b": 2\n}',
      [{ op: "set", path: ["c"], value: 3 }],
      '{ "a": 1\n, "b": 2\n, "c": 3\n}',
    ],
  ])("writes new values in the style around them: %s", (_, text, edits, wanted) => {
    expect(edit(text, ...edits)).toBe(wanted);
  });

  it("closes up after the first, the last and the only entry are removed", () => {
    const text = '{\n  "a": 1,\n  "b": [\n    1\n  ],\n  "c": 3\n}';
    expect(edit(text, { op: "remove", path: ["a"] })).toBe('{\n  "b": [\n    1\n  ],\n  "c": 3\n}');
    expect(edit(text, { op: "remove", path: ["c"] })).toBe('{\n  "a": 1,\n  "b": [\n    1\n  ]\n}');
    expect(edit(text, { op: "remove", path: ["b", 0] })).toBe('{\n  "a": 1,\n  "b": [],\n  "c": 3\n}');
  });

  it("escapes what is not ASCII in a text that has none, and only there", () => {
    const set: Edit = { op: "set", path: ["ü"], value: "😀\u2014" };
    expect(edit('{"a":1}', set)).toBe('{"a":1,"\\u00fc":"\\ud83d\\ude00\\u2014"}');
    expect(edit('{"ä":1}', set)).toBe('{"ä":1,"ü":"😀\u2014"}');
    expect(edit('\ufeff{"a":1}', set)).toBe('\ufeff{"a":1,"\\u00fc":"\\ud83d\\ude00\\u2014"}');
  });

  it("edits the last of several members of one name, and removes them all", () => {
    const text = '{"a":1,"b":2,"a":3}';
    expect(edit(text, { op: "set", path: ["a"], value: 4 })).toBe('{"a":1,"b":2,"a":4}');
    expect(edit(text, { op: "set", path: ["c"], value: 4, after: "a" })).toBe('{"a":1,"c":4,"b":2,"a":3}');
    expect(edit(text, { op: "remove", path: ["a"] })).toBe('{"b":2}');
  });

  it.each<[string, Edit, string]>([
    ['{"a":1e400}', { op: "set", path: ["a"], value: null }, '{"a":null}'],
    ['{"a":-0}', { op: "set", path: ["a"], value: 0 }, '{"a":0}'],
    ['{"a":{"b":1,"c":2}}', { op: "set", path: ["a"], value: { c: 2, b: 1 } }, '{"a":{"c":2,"b":1}}'],
    ['{"a":1,"1":2}', { op: "set", path: ["b"], value: 3, after: "1" }, '{"b":3,"a":1,"1":2}'],
    [
      '{"4294967295":1,"a":2}',
      { op: "set", path: ["b"], value: 3, after: "4294967295" },
      '{"4294967295":1,"b":3,"a":2}',
    ],
    [
      '{"a":1,"4294967295":2}',
      { op: "set", path: ["b"], value: 3, after: "4294967295" },
      '{"a":1,"4294967295":2,"b":3}',
    ],
    ["[1,2, 3]", { op: "remove", path: [1] }, "[1, 3]"],
    ["[1, 2,3]", { op: "insert", path: [], index: 1, value: 9 }, "[1, 9, 2,3]"],
  ])("edits %s", (text, wanted, after) => {
    expect(edit(text, wanted)).toBe(after);
    expect(withOrder(JSON.parse(after))).toEqual(withOrder(applyEdits(JSON.parse(text), [wanted])));
  });

  it("finds duplicate keys among many", () => {
    const names = Array.from({ length: 40 }, (_, at) => `k${at}`);
    const text = `{${[...names, ...names].map((name) => `"${name}":1`).join(",")}}`;
    const edits = names.flatMap((name): Edit[] => [
      { op: "set", path: [name], value: 2 },
      { op: "set", path: [`${name}-new`], value: 3, after: name },
    ]);
    const wanted = applyEdits(JSON.parse(text), edits);
    expect(withOrder(JSON.parse(edit(text, ...edits)))).toEqual(withOrder(wanted));
  });

  it("finds every one of many members, and those between them", () => {
    const names = Array.from({ length: 100 }, (_, at) => `task-${at}`);
    const document = { hierarchy: Object.fromEntries(names.map((name) => [name, { at: 1 }])) };
    const edits = names.flatMap((name): Edit[] => [
      { op: "set", path: ["hierarchy", `${name}-new`], value: { at: 2 }, after: name },
      { op: "set", path: ["hierarchy", name, "at"], value: 3 },
    ]);
    const after = JSON.stringify(applyEdits(document, edits));
    expect(edit(JSON.stringify(document), ...edits)).toBe(after);
    const removals = names.map((name): Edit => ({ op: "remove", path: ["hierarchy", name] }));
    expect(edit(after, ...removals)).toBe(JSON.stringify(applyEdits(JSON.parse(after), removals)));
  });

  it.each<[Edit, string]>([
    [{ op: "set", path: [], value: 1 }, "Cannot set at : the text has no such place"],
    [{ op: "set", path: ["a", "b"], value: 1 }, "Cannot set at a.b: the text has no such place"],
    [{ op: "remove", path: ["none", "b"] }, "Cannot remove at none.b: the text has no such place"],
    [{ op: "insert", path: [], index: 0, value: 1 }, "Cannot insert at : the text has no such place"],
    [{ op: "insert", path: ["l"], index: -1, value: 1 }, "Cannot insert at l: the text has no such place"],
    [{ op: "set", path: ["l", 2], value: 1 }, "Cannot set at l.2: the text has no such place"],
    [{ op: "remove", path: ["l", "x"] }, "Cannot remove at l.x: the text has no such place"],
  ])("throws for a place that the text does not have: %j", (wrong, message) => {
    expect(() => edit('{"a":1,"l":[1]}', wrong)).toThrow(message);
  });

  it("refuses values that are nested too deeply to be read again", () => {
    const value = JSON.parse("[".repeat(999) + "]".repeat(999));
    expect(() => edit("{}", { op: "set", path: ["a"], value })).not.toThrow();
    expect(() => edit('{"a":[]}', { op: "insert", path: ["a"], index: 0, value })).toThrow(RangeError);
  });
});

function spliced(bytes: Buffer, splices: readonly Splice[]): Buffer {
  const parts: Uint8Array[] = [];
  let passed = 0;
  for (const { at, removed, inserted } of splices) {
    expect(bytes.subarray(at, at + removed.length).equals(removed)).toBe(true);
    parts.push(bytes.subarray(passed, at), inserted);
    passed = at + removed.length;
  }
  return Buffer.concat([...parts, bytes.subarray(passed)]);
}

function isOf(bytes: Buffer, chunk: Uint8Array): boolean {
  const from = chunk.byteOffset - bytes.byteOffset;
  return chunk.buffer === bytes.buffer && from >= 0 && from + chunk.length <= bytes.length;
}
