import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkMembers } from "./check-members.ts";
import { createFormFinder } from "./object-forms.ts";
import { type JsonSchema, toInputJsonSchema } from "./schema.ts";

/** Checks an argument `x` against a schema; references in the schema are resolved from its root. */
function check(schema: z.ZodType | JsonSchema, x: unknown, maxUnknown = 50) {
  const json = schema instanceof z.ZodType ? toInputJsonSchema(schema) : schema;
  return checkMembers({ x }, new Map([["x", json]]), createFormFinder(json), maxUnknown);
}
const unknownIn = (schema: z.ZodType | JsonSchema, x: unknown) =>
  check(schema, x).unknown.map(({ path }) => path);
const checkedValue = (schema: z.ZodType | JsonSchema, x: unknown) => check(schema, x).args["x"];

const task = z.object({ title: z.string(), depends_on: z.array(z.string()).optional() });
const phase = z.object({ title: z.string(), tasks: z.array(task).optional() });

describe("a name that no schema has", () => {
  it("is unknown at any depth, with its path and the names that the object takes", () => {
    const x = [{ title: "a", tasks: [{ title: "b" }, { title: "c", dependsOn: ["b"] }] }];
    expect(check(z.array(phase), x).unknown).toEqual([
      { path: "x[0].tasks[1].dependsOn", name: "dependsOn", names: ["title", "depends_on"] },
    ]);
  });

  it("is taken where the schema is open or does not describe members", () => {
    const any = { y: { z: 1 } };
    expect(unknownIn(z.looseObject({ a: z.string() }), any)).toEqual([]);
    expect(unknownIn(z.record(z.string(), z.unknown()), any)).toEqual([]);
    expect(unknownIn(z.unknown(), any)).toEqual([]);
    expect(unknownIn({ type: "object" }, any)).toEqual([]);
    expect(unknownIn({ type: "object", properties: {}, patternProperties: { "^y": {} } }, any)).toEqual([]);
    expect(unknownIn({ type: "object", properties: {}, additionalProperties: true }, any)).toEqual([]);
  });

  it("is refused in a closed object, also an empty one and one below further members", () => {
    expect(unknownIn(z.object({}), { y: 1 })).toEqual(["x.y"]);
    expect(unknownIn(z.strictObject({ a: z.string() }), { y: 1 })).toEqual(["x.y"]);
    expect(unknownIn({ properties: { a: {} } }, { y: 1 })).toEqual(["x.y"]);
    expect(unknownIn(z.record(z.string(), task), { any: { title: "t", y: 1 } })).toEqual(["x.any.y"]);
    expect(unknownIn(z.looseObject({ a: task }), { a: { y: 1 }, b: { y: 1 } })).toEqual(["x.a.y"]);
  });

  it("is unknown in a union if no branch that may apply has it", () => {
    const either = z.union([z.string(), z.object({ path: z.string() }), z.object({ url: z.string() })]);
    expect(unknownIn(either, "text")).toEqual([]);
    expect(unknownIn(either, { path: "a" })).toEqual([]);
    expect(check(either, { path: "a", title: 1 }).unknown).toEqual([
      { path: "x.title", name: "title", names: ["path", "url"] },
    ]);
    expect(unknownIn(z.union([z.object({ a: z.string() }), z.looseObject({})]), { b: 1 })).toEqual([]);
    expect(unknownIn(z.union([z.object({ a: task }), z.object({ a: phase })]), { a: { tasks: [] } })).toEqual(
      [],
    );
  });

  it("is unknown in the branch that a constant chooses", () => {
    const shape = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("circle"), radius: z.number() }),
      z.object({ kind: z.enum(["square", "box"]), side: z.number() }),
    ]);
    expect(unknownIn(shape, { kind: "circle", radius: 1 })).toEqual([]);
    expect(unknownIn(shape, { kind: "circle", side: 1 })).toEqual(["x.side"]);
    expect(unknownIn(shape, { kind: "box", radius: 1 })).toEqual(["x.radius"]);
    expect(unknownIn(shape, { kind: "no such kind", radius: 1, side: 1 })).toEqual([]);
  });

  it("is known if a part of a combination has it", () => {
    expect(unknownIn(z.intersection(task, phase), { title: "t", tasks: [], depends_on: [], y: 1 })).toEqual([
      "x.y",
    ]);
    const demanding = { properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] };
    expect(unknownIn(demanding, { a: 1, y: 1 })).toEqual(["x.y"]);
    const conditional = JSON.parse('{"properties": {"a": {}}, "if": {}, "then": {"properties": {"b": {}}}}');
    expect(unknownIn(conditional, { a: 1, b: 1, c: 1 })).toEqual(["x.c"]);
  });

  it("is found in lists, by position where the schema goes by position", () => {
    expect(unknownIn(z.tuple([task, phase]), [{ tasks: [] }, { tasks: [] }])).toEqual(["x[0].tasks"]);
    expect(unknownIn(z.tuple([z.string()], task), ["a", { y: 1 }])).toEqual(["x[1].y"]);
    expect(unknownIn({ type: "array" }, [{ y: 1 }])).toEqual([]);
  });

  it("is found through references, also of a schema that refers to itself", () => {
    type Tree = { name: string; below?: Tree[] | undefined };
    const tree: z.ZodType<Tree> = z.object({
      name: z.string(),
      get below() {
        return z.array(tree).optional();
      },
    });
    const x = { name: "a", below: [{ name: "b", below: [{ name: "c", bellow: [] }] }] };
    expect(unknownIn(tree, x)).toEqual(["x.below[0].below[0].bellow"]);
    const named = { $ref: "#/$defs/a~1b", $defs: { "a/b": { properties: { c: { $ref: "#/nowhere" } } } } };
    expect(unknownIn(named, { c: { any: 1 }, d: 1 })).toEqual(["x.d"]);
  });

  it("is reported as often as asked, however many there are", () => {
    const many = Array.from({ length: 100_000 }, () => ({ y: 1 }));
    expect(check(z.array(task), many, 3).unknown.map(({ path }) => path)).toEqual([
      "x[0].y",
      "x[1].y",
      "x[2].y",
    ]);
  });

  it("is found below any depth, without exhausting the stack", () => {
    const list = { type: "array", items: { anyOf: [{ $ref: "#" }, { properties: { a: {} } }] } };
    let x: unknown = { y: 1 };
    for (let depth = 0; depth < 100_000; depth++) x = [x];
    expect(check(list, x).unknown).toHaveLength(1);
  });
});

describe("null within arguments", () => {
  const shape = z.object({
    note: z.string().optional(),
    parent: z.string().nullable(),
    child: z.object({ note: z.string().optional(), any: z.unknown() }).optional(),
  });

  it("means absent for what is optional, and leaves the caller's value as it was", () => {
    const x = { note: null, parent: null, child: { note: null, any: null }, other: null };
    const before = structuredClone(x);
    expect(checkedValue(shape, x)).toEqual({ parent: null, child: { any: null } });
    expect(checkedValue(z.array(shape), [x, { parent: "p" }])).toEqual([
      { parent: null, child: { any: null } },
      { parent: "p" },
    ]);
    expect(x).toEqual(before);
  });

  it("is a value in an open object and in a list", () => {
    expect(checkedValue(z.record(z.string(), z.unknown()), { a: null })).toEqual({ a: null });
    expect(checkedValue(z.array(task), [null])).toEqual([null]);
  });

  it("is absent where a member is required, so that it is reported as missing", () => {
    expect(checkedValue(task, { title: null })).toEqual({});
  });
});

it("finds nothing in what the schema accepts when it is strict, and gives it back as it is", () => {
  const strict = z.strictObject({
    a: z.array(z.union([z.strictObject({ b: z.string().optional() }), z.strictObject({ c: z.int() })])),
    d: z.record(z.string(), z.strictObject({ e: z.boolean() })).optional(),
  });
  const value = fc.record(
    {
      a: fc.array(fc.oneof(fc.record({ b: fc.string() }), fc.record({ c: fc.integer() }))),
      d: fc.dictionary(fc.string(), fc.record({ e: fc.boolean() })),
    },
    { requiredKeys: ["a"] },
  );
  fc.assert(
    fc.property(value, (x) => {
      expect(strict.safeParse(x).success).toBe(true);
      const checked = check(strict, x);
      expect(checked.unknown).toEqual([]);
      expect(checked.args["x"]).toBe(x);
    }),
  );
});
