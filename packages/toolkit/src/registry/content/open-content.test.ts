import { successResponse } from "@foundry-mcp/contract";
import { type Dropped, fitToBudget } from "@foundry-mcp/contract/budget";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPart } from "./open-content.ts";

/**
 * Reduces and archives a payload; returns the payload, the parts that its response dropped, and the parts that the
 * content ids find.
 */
function follow(data: object, maxTokens: number) {
  const stored: unknown = JSON.parse(JSON.stringify(data));
  const { envelope, dropped } = fitToBudget(successResponse(data), { maxTokens });
  const pointers = dropped === null ? [] : pointersOf(dropped);
  const gone = new Set(pointers.map((pointer) => at(stored, pointer)));
  // If more parts were dropped than can be named, a list that lost parts represents the unnamed parts.
  const isParent = (id: string) =>
    pointers.some((pointer) => pointer.startsWith(`${id}/`)) && !gone.has(findPart(stored, id)?.value);
  const ids = (envelope.meta.dropped_content_ids ?? []).filter((id) => !isParent(id));
  return { stored, ids, gone, found: ids.map((id) => findPart(stored, id)?.value) };
}

/** All dropped parts, whether the response lists them or not. */
function pointersOf({ parts, data }: Dropped): string[] {
  return parts.flatMap(({ pointer, kind, kept }) => {
    if (kind === "text" || kind === "field") return [pointer];
    const keys = Object.keys(at(data, pointer) as object).slice(kept);
    return keys.map((key) => `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  });
}

function at(root: unknown, pointer: string): unknown {
  const steps = pointer.split("/").slice(1);
  const keys = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return keys.reduce((value, key) => (value as Record<string, unknown>)[key], root);
}

const text = "Sand and shells, and a wreck. ".repeat(8);
const itemsOf = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index + 1}`, ...more }));

describe("the content ids of a reduced response", () => {
  it("skip items of the same id that were not dropped", () => {
    const { stored, ids, found } = follow({ specs: itemsOf(10), tasks: itemsOf(60, { text }) }, 1_200);
    const { tasks } = stored as { tasks: { id: string }[] };
    expect(ids).toContain("/tasks/9");
    expect(ids).toContain("11");
    expect(found[ids.indexOf("/tasks/9")]).toBe(tasks[9]);
    expect(found[ids.indexOf("11")]).toBe(tasks[10]);
  });

  it("find the first part of that id, in document order", () => {
    const first = { id: "x", n: 1 };
    const data = { a: { deep: [[first]] }, b: { id: "x", n: 2 }, id: "root" };
    expect(findPart(data, "x")).toEqual({ value: first });
    expect(findPart(data, "root")).toBeUndefined();
  });

  it("distinguish items that have the same id", () => {
    const tasks = Array.from({ length: 60 }, (_, n) => ({ id: "same", n, text }));
    const { stored, ids, found } = follow({ tasks }, 1_200);
    const numbers = ids.map((id) => Number(id.slice("/tasks/".length)));
    expect(numbers.length).toBeGreaterThan(5);
    expect(found).toEqual(numbers.map((n) => tasks[n]));
    expect(new Set(numbers).size).toBe(ids.length);
    expect(found[0]).toBe((stored as { tasks: unknown[] }).tasks[numbers[0] as number]);
  });

  it("skip parts inside other dropped parts", () => {
    const tasks = Array.from({ length: 60 }, (_, n) => ({
      id: `${n}`,
      text,
      needs: [{ id: `${n + 1}`, within: n }],
    }));
    const { ids, found } = follow({ tasks }, 1_500);
    const numbers = found.map((part) => Number((part as { id: string }).id));
    expect(ids.length).toBeGreaterThan(5);
    expect(found).toEqual(numbers.map((n) => tasks[n]));
    expect(new Set(numbers).size).toBe(ids.length);
  });

  it("are unambiguous, whatever the ids are, in any list at any depth", () => {
    const id = fc.constantFrom("1", "2", "3", "4", "a", "/list/0", "/list/5", "/map/a", "list");
    const own = {
      skipped_id: fc.constant(undefined),
      id: fc.oneof(id, fc.uuid(), fc.constant(undefined)),
      task_id: id,
      text: fc.string({ maxLength: 200 }),
    };
    const leaf = fc.record({ n: fc.nat(), ...own }, { requiredKeys: ["n"] });
    const listOf = (of: fc.Arbitrary<object>, maxLength: number) => fc.array(of, { minLength: 1, maxLength });
    const branchOf = (of: fc.Arbitrary<object>) =>
      fc.record(
        { n: fc.nat(), ...own, list: listOf(of, 4), map: fc.dictionary(id, of, { maxKeys: 4 }) },
        { requiredKeys: ["n"] },
      );
    const item = fc.oneof(leaf, branchOf(leaf), branchOf(branchOf(leaf)));
    const list = listOf(item, 30);
    const map = fc.dictionary(fc.oneof(id, fc.string()), item, { minKeys: 1, maxKeys: 40 });
    const payload = fc.oneof(fc.record({ first: list, list, map }), fc.record({ map, list, last: list }));
    let named = 0;
    let byId = 0;
    fc.assert(
      fc.property(payload, fc.integer({ min: 200, max: 4_000 }), (data, maxTokens) => {
        const { ids, gone, found } = follow(data, maxTokens);
        for (const [index, part] of found.entries()) expect(gone, ids[index]).toContain(part);
        const objects = found.filter((part) => typeof part === "object");
        expect(new Set(objects).size).toBe(objects.length);
        expect(new Set(ids).size).toBe(ids.length);
        named += ids.length;
        byId += ids.filter((name) => !name.startsWith("/")).length;
      }),
      // Payloads of this size take minutes to shrink.
      { numRuns: 100, interruptAfterTimeLimit: 20_000 },
    );
    expect(named).toBeGreaterThan(500);
    expect(byId).toBeGreaterThan(50);
  });
});
