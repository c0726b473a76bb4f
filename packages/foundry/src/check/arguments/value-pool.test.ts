import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlural, normalizeKey, ValuePool } from "./value-pool.ts";

function candidates(name: string, ...answers: readonly unknown[]) {
  const pool = new ValuePool();
  for (const answer of answers) pool.learn(answer);
  return pool.candidates(name);
}

describe("candidates", () => {
  it.each<[string, unknown, unknown[]]>([
    ["spec_id", { spec_id: "a" }, ["a"]],
    ["spec_id", { specId: "a" }, ["a"]],
    ["specId", { "spec-id": "a" }, ["a"]],
    ["spec_id", { specs: [{ id: "a" }, { id: "b" }] }, ["a", "b"]],
    ["spec_id", { specs: [{ name: "a" }] }, ["a"]],
    ["spec_id", { spec: { id: "a" } }, ["a"]],
    ["spec_id", { specs: ["a", "b"] }, ["a", "b"]],
    ["spec_id", { spec_ids: ["a"] }, ["a"]],
    ["spec_id", { items: [{ id: "a" }] }, ["a"]],
    ["spec_ids", { specs: [{ id: "a" }] }, ["a"]],
    ["parent_spec_id", { specs: [{ id: "a" }] }, ["a"]],
    ["id", { id: 1, task_id: 2 }, [1, 2]],
    ["note", { note_id: "n" }, ["n"]],
    ["note", { notes: [{ id: "n", body: "b" }] }, ["n"]],
    ["category", { categories: [{ slug: "c" }] }, ["c"]],
    ["path", { file: "a.ts" }, ["a.ts"]],
    ["file_path", { files: [{ path: "a.ts" }] }, ["a.ts"]],
    ["berth", { berths: { "b-1": "free", "b-2": "taken" } }, ["b-1", "b-2"]],
    ["port", { tide: { port: "dover" }, harbour: { port: "calais" } }, ["dover", "calais"]],
    ["port", { report: "x", ports_open: 3 }, []],
    ["__proto__", JSON.parse('{"__proto__": "a"}'), ["a"]],
    ["constructor", {}, []],
  ])("of %s in %j", (name, answer, expected) => {
    expect(candidates(name, answer)).toEqual(expected);
  });

  it("put values of the parameter's own key before those of similar keys", () => {
    const answer = { id: "z", items: [{ id: "y" }], specs: [{ name: "c", id: "b" }], spec_id: "a" };
    expect(candidates("spec_id", answer)).toEqual(["a", "b", "c", "z", "y"]);
  });

  it("put similar values that begin with the name before others", () => {
    const answer = { nodes: [{ id: "phase-1" }, { id: "task-1" }, { id: "verify-1" }] };
    expect(candidates("verify_id", answer)).toEqual(["verify-1", "phase-1", "task-1"]);
  });

  it("are not the keys of the JSON Schema of a list", () => {
    expect(candidates("spec_id", { properties: { specs: { type: "array", items: {} } } })).toEqual([]);
  });

  it("are known only by the parameter's own key, and not by an echo", () => {
    const pool = new ValuePool();
    pool.learn({ id: "z", spec_id: "made-up", spec: { id: "made-up" } }, ["made-up"]);
    expect([pool.candidates("spec_id"), pool.knows("spec_id")]).toEqual([["z"], false]);
    pool.learn({ specs: [{ id: "a" }] });
    expect([pool.candidates("spec_id"), pool.knows("spec_id")]).toEqual([["a", "z"], true]);
  });

  it("are lacking where a list of them was empty, and none was named", () => {
    const pool = new ValuePool();
    expect(pool.lacks("spec_id")).toBe(false);
    pool.learn({ specs: [] });
    expect([pool.lacks("spec_id"), pool.lacks("spec"), pool.lacks("task_id")]).toEqual([true, true, false]);
    pool.learn({ specs: [{ id: "a" }] });
    expect(pool.lacks("spec_id")).toBe(false);
  });

  it("begin with the values that the user gave", () => {
    const pool = new ValuePool();
    pool.learn({ port: "dover" });
    pool.give("port", ["calais", { odd: true }]);
    pool.give("port", ["ostend"]);
    expect(pool.candidates("port")).toEqual(["calais", { odd: true }, "ostend", "dover"]);
    expect(pool.given("port")).toEqual(["calais", { odd: true }, "ostend"]);
    expect(pool.given("toString")).toEqual([]);
  });

  it("are only short texts and finite numbers", () => {
    expect(candidates("a", { a: ["", "x".repeat(201), null, true, Number.NaN, "y".repeat(200), 0] })).toEqual(
      ["y".repeat(200), 0],
    );
  });
});

describe("bounds", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => index);

  it("limit the pool to 50 values of a key and 500 keys", () => {
    expect(candidates("n", { n: many(80) })).toEqual(many(50));
    const keys = Object.fromEntries(many(600).map((index) => [`k${index}`, index]));
    expect(candidates("k499", keys)).toEqual([499]);
    expect(candidates("k500", keys)).toEqual([]);
  });

  it("limit an answer to 20,000 nodes, breadth first", () => {
    const big = { deep: { list: many(30_000).map((index) => ({ x: index })), late: "a" }, near: "b" };
    expect(candidates("near", big)).toEqual(["b"]);
    expect(candidates("late", big)).toEqual(["a"]);
    expect(candidates("x", { first: many(20_000), rows: [{ x: 1 }] })).toEqual([]);
  });

  it("hold for cyclic and deep values", () => {
    const circle: Record<string, unknown> = { a: 1 };
    circle["self"] = circle;
    expect(candidates("a", circle)).toEqual([1]);
    expect(candidates("a", JSON.parse(`${'{"b":'.repeat(5000)}{"a":1}${"}".repeat(5000)}`))).toEqual([1]);
  });

  it("hold for arbitrary values", () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (answer, name) => {
        expect(candidates(name, answer).length).toBeLessThanOrEqual(50);
      }),
    );
  });
});

it.each([
  ["specIds", "spec_id"],
  ["spec-ids", "spec_id"],
  ["SPEC_ID", "spec_id"],
  ["HTTPServer", "http_server"],
  ["categories", "category"],
  ["boxes", "box"],
  ["matches", "match"],
  ["status", "status"],
  ["address", "address"],
  ["addresses", "address"],
  ["analysis", "analysis"],
  ["$", ""],
])("reads %s as %s", (key, expected) => {
  expect(normalizeKey(key)).toBe(expected);
});

it("recognizes plurals", () => {
  expect(["berths", "open_tasks", "berth", "status"].filter(isPlural)).toEqual(["berths", "open_tasks"]);
});
