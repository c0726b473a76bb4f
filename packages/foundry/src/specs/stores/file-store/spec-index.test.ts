import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Edit } from "../../../files/json-text/edit.ts";
import { editText } from "../../../files/json-text/edit-text.ts";
import { SpecModel } from "../../model/spec-model.ts";
import { arbitrarySpec } from "../../model/testing/arbitrary-spec.ts";
import { parseSpecFile, SpecFile } from "../spec-file.ts";
import { decodeSpecIndex, encodeSpecIndex, fromSpecIndex, toSpecIndex } from "./spec-index.ts";

const place = {
  file: "/specs/active/a.json",
  identity: { ino: 1, dev: 2, size: 3, mtimeMs: 4.5, ctimeMs: 5.5 },
  isSettled: true,
};

/** Returns a file as a later process reads it, with the index that an earlier process has written. */
function reopen(file: SpecFile): SpecFile | undefined {
  const index = toSpecIndex(file, place);
  const decoded = index && decodeSpecIndex(encodeSpecIndex(index));
  expect(decoded).toEqual(index);
  return decoded && fromSpecIndex(decoded, file.bytes);
}

/** Returns everything that the rules of a spec read from its model. */
function tell(spec: SpecModel) {
  return {
    ids: spec.ids,
    order: spec.order,
    nodes: spec.ids.map((id) => [spec.node(id), spec.tally(id), spec.workTally(id), spec.positionOf(id)]),
    scopes: spec.ids.map((id) => [spec.scopeOf(id), spec.endOf(id)]),
    open: spec.ids.map((id) => [...spec.openWorkBelow(id)].map((node) => node.id)),
    dependents: [...spec.dependents],
    told: [spec.id, spec.title, spec.metadata, spec.journal, spec.hasPriorities],
    columns: spec.columns,
    text: JSON.stringify(spec.document),
  };
}

const anyText = (value: unknown) => Buffer.from(JSON.stringify(value, null, 1));

const arbitraryEdit = (ids: readonly string[]): fc.Arbitrary<Edit> =>
  fc.tuple(fc.constantFrom(...ids), fc.nat(5)).map(([id, kind]): Edit => {
    const path = ["hierarchy", id];
    if (kind < 2) return { op: "set", path: [...path, "status"], value: kind === 0 ? "completed" : "odd" };
    if (kind === 2) return { op: "set", path: [...path, "metadata"], value: { priority: "high" } };
    if (kind === 3)
      return { op: "set", path: [...path, "dependencies"], value: { blocked_by: ["ghost", id] } };
    if (kind === 4) return { op: "set", path: [...path, "type"], value: "verify" };
    return {
      op: "set",
      path: ["hierarchy", "new"],
      value: { type: "task", status: "pending", children: [] },
    };
  });

describe("a spec that is opened with an index", () => {
  test("equals the parsed spec, also after edits in several processes", () => {
    const cases = arbitrarySpec({ maxNodes: 30 }).chain((document) =>
      fc.tuple(
        fc.constant(anyText(document)),
        fc.array(fc.array(arbitraryEdit(new SpecModel(document).ids), { minLength: 1, maxLength: 3 }), {
          maxLength: 4,
        }),
      ),
    );
    fc.assert(
      fc.property(cases, ([text, steps]) => {
        let file = parseSpecFile(text, "a.json");
        for (const edits of [[], ...steps]) {
          const { chunks, index } = editText(file.bytes, edits, file.index);
          const bytes = Buffer.concat(chunks);
          file = new SpecFile(bytes, file.model.after(edits), { index });
          const whole = parseSpecFile(bytes, "a.json");
          const opened = reopen(file);
          // Keys that look like numbers have another order in an object than in the text.
          if (opened === undefined) continue;
          expect(tell(opened.model)).toEqual(tell(whole.model));
          expect([opened.hash, opened.digest, opened.index]).toEqual([whole.hash, whole.digest, whole.index]);
          file = opened;
        }
      }),
      { numRuns: 80 },
    );
  });

  test("reads like the parsed document, however its nodes are read", () => {
    const nodes = Array.from({ length: 40 }, (_, at) => [`task-${at}`, { type: "task", title: `é ${at}` }]);
    const document = { spec_id: "a", hierarchy: Object.fromEntries(nodes), journal: [] };
    const open = () => reopen(parseSpecFile(anyText(document), "a.json"))?.model.document;
    expect(open()).toEqual(document);
    const { hierarchy } = open() as typeof document;
    const first = hierarchy["task-3"];
    expect(first).toEqual({ type: "task", title: "é 3" });
    expect(Object.entries(hierarchy)).toEqual(nodes);
    expect(hierarchy["task-3"]).toBe(first);
    expect(["task-9" in hierarchy, "task-99" in hierarchy, Object.hasOwn(hierarchy, "toString")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(() => Object.assign(hierarchy, { other: 1 })).toThrow(TypeError);
  });

  test.each([
    ["the same node twice", '{"spec_id":"a","hierarchy":{"x":{"type":"task"},"x":{"type":"task"}}}'],
    ["the same member twice", '{"title":"1","title":"2","hierarchy":{}}'],
    ["nodes in another order than their keys", '{"hierarchy":{"b":{},"2":{},"1":{}}}'],
  ])("is not made for a text with %s", (_, text) => {
    expect(toSpecIndex(parseSpecFile(Buffer.from(text), "a.json"), place)).toBeUndefined();
  });
});

describe("an index that is not whole", () => {
  const index = toSpecIndex(parseSpecFile(anyText({ spec_id: "a", hierarchy: { x: {} } }), "a.json"), place);
  const bytes = encodeSpecIndex(index as NonNullable<typeof index>);
  const changed = (change: (copy: Buffer) => void) => {
    const copy = Buffer.from(bytes);
    change(copy);
    return copy;
  };

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["half of it", bytes.subarray(0, bytes.length >> 1)],
    ["garbage", Buffer.alloc(4_096, 7)],
    ["another length", changed((copy) => copy.writeUInt32LE(bytes.length + 4, 0))],
    ["a head beyond its end", changed((copy) => copy.writeUInt32LE(0xffffffff, 4))],
    ["another format", changed((copy) => copy.write('{"format":9', 8))],
    ["the end of another index", changed((copy) => copy.write("0000", bytes.length - 4))],
  ])("is not used: %s", (_, spoilt) => {
    expect(decodeSpecIndex(spoilt)).toBeUndefined();
  });
});
