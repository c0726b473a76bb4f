import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSchema } from "./compile-schema.ts";

function check(schema: unknown, value: unknown) {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error(compiled.problem);
  return compiled.check(value);
}

const nest = (depth: number) => {
  let schema: unknown = {};
  for (let level = 0; level < depth; level++) schema = { properties: { a: schema } };
  return schema;
};

describe("compileSchema", () => {
  it("reports no problem for a valid value", () => {
    const schema = { type: "object", properties: { a: { type: "array", items: { type: "integer" } } } };
    expect(check(schema, { a: [1, 2] })).toEqual([]);
    expect(check(true, 5)).toEqual([]);
  });

  it("reports the path of each problem", () => {
    const schema = {
      type: "object",
      additionalProperties: false,
      required: ["b"],
      properties: {
        a: { items: { type: "integer" } },
        "odd key": { enum: ["x", "y"] },
        b: {},
        c: { const: 1 },
      },
    };
    expect(check(schema, { a: [1, "2"], "odd key": "z", c: 2, d: 1 })).toEqual([
      { path: "$", message: "must have required property 'b'" },
      { path: "$", message: "must NOT have additional properties: d" },
      { path: "$.a[1]", message: "must be integer" },
      { path: '$["odd key"]', message: 'must be equal to one of the allowed values: ["x","y"]' },
      { path: "$.c", message: "must be equal to constant: 1" },
    ]);
    expect(check(false, 1)).toEqual([{ path: "$", message: "must NOT be valid" }]);
  });

  it("reports at most five problems, each in a short line", () => {
    const items = { enum: ["\u0007bell\n".repeat(200)] };
    const problems = check({ items }, Array(20).fill(1));
    expect(problems.map(({ path }) => path)).toEqual(["$[0]", "$[1]", "$[2]", "$[3]", "$[4]"]);
    for (const { message } of problems) {
      expect(message).toMatch(/^[^\p{Cc}]*$/u);
      expect([...message].length).toBeLessThanOrEqual(200);
    }
  });

  it("supports the drafts of JSON Schema", () => {
    const tuple = { items: [{ type: "string" }] };
    expect(check({ $schema: "http://json-schema.org/draft-07/schema#", ...tuple }, [1])).toEqual([
      { path: "$[0]", message: "must be string" },
    ]);
    expect(check({ $schema: "https://json-schema.org/draft/2019-09/schema", ...tuple }, [1])).toHaveLength(1);
    expect(compileSchema(tuple)).toEqual({ ok: false, problem: "schema/items must be object,boolean" });
    expect(check({ prefixItems: [{ type: "string" }] }, [1])).toEqual([
      { path: "$[0]", message: "must be string" },
    ]);
    expect(check({ $schema: "urn:made-up", type: "string" }, "a")).toEqual([]);
  });

  it("follows references within the schema", () => {
    const tree = {
      $ref: "#/$defs/node",
      $defs: { node: { items: { $ref: "#/$defs/node" }, type: "array" } },
    };
    expect(check(tree, [[[]]])).toEqual([]);
    expect(check(tree, [[5]])).toEqual([{ path: "$[0][0]", message: "must be array" }]);
    expect(check({ $ref: "https://json-schema.org/draft/2020-12/schema" }, { type: "string" })).toEqual([]);
  });

  it("says what is wrong with a schema", () => {
    expect(compileSchema({ type: "text" })).toEqual({
      ok: false,
      problem:
        "schema/type must be equal to one of the allowed values, schema/type must be array, schema/type must match a schema in anyOf",
    });
    expect(compileSchema({ $ref: "#/$defs/none" })).toEqual({
      ok: false,
      problem: "the schema cannot be used: can't resolve reference #/$defs/none from id #",
    });
    expect(compileSchema({ $ref: "https://example.com/other.json" })).toMatchObject({ ok: false });
    expect(compileSchema({ pattern: "(" })).toMatchObject({ ok: false });
    expect(compileSchema({ $id: 5 })).toMatchObject({ ok: false });
    expect(compileSchema({ description: "x".repeat(1_100_000) })).toEqual({
      ok: false,
      problem: "the schema is longer than 1 MB",
    });
    for (const none of [null, undefined, [], "string", 5, Symbol("s")]) {
      expect(compileSchema(none)).toEqual({ ok: false, problem: "a schema is an object, true or false" });
    }
  });

  it("accepts patterns that are invalid with the u flag", () => {
    expect(check({ pattern: "^[\\w-.]+$" }, "a-b.c")).toEqual([]);
    expect(check({ pattern: "^\\p{L}$" }, "é")).toEqual([]);
  });

  it("honours nullable beside a type and ignores it elsewhere", () => {
    expect(check({ type: "string", nullable: true }, null)).toEqual([]);
    expect(check({ nullable: true, anyOf: [{ type: "string" }] }, "a")).toEqual([]);
    expect(check({ properties: { nullable: { type: "string" } }, nullable: true }, { nullable: 5 })).toEqual([
      { path: "$.nullable", message: "must be string" },
    ]);
  });

  it("ignores the id of draft 4", () => {
    expect(check({ id: "https://example.com/a", type: "string" }, 5)).toEqual([
      { path: "$", message: "must be string" },
    ]);
  });

  it("never returns a promise", () => {
    expect(check({ $async: true, type: "string" }, 5)).toEqual([{ path: "$", message: "must be string" }]);
  });

  it("interrupts slow patterns and schemas", () => {
    const message = "takes too long to check";
    expect(check({ pattern: "(a+)+$" }, `${"a".repeat(200)}!`)).toEqual([{ path: "$", message }]);
    const $defs: Record<string, unknown> = { d30: { type: "string" } };
    for (let step = 0; step < 30; step++) {
      const next = { $ref: `#/$defs/d${step + 1}` };
      $defs[`d${step}`] = { oneOf: [next, next] };
    }
    expect(check({ $ref: "#/$defs/d0", $defs }, "a")).toEqual([{ path: "$", message }]);
  });

  it("survives deep and cyclic schemas", () => {
    expect(check({ $ref: "#" }, 1)).toEqual([
      { path: "$", message: "the schema is too deep or refers to itself without end" },
    ]);
    expect(compileSchema(nest(10_000))).toMatchObject({ ok: false });
    const circle: Record<string, unknown> = {};
    circle["not"] = circle;
    expect(compileSchema(circle)).toMatchObject({ ok: false });
    expect(
      check({ items: { $ref: "#" }, type: "array" }, JSON.parse("[".repeat(900) + "]".repeat(900))),
    ).toEqual([]);
  });

  it("treats inherited names as ordinary keys", () => {
    expect(check({ required: ["constructor", "toString"] }, {})).toHaveLength(2);
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}},"__proto__":{"type":"string"}}');
    expect(check(schema, {})).toEqual([]);
    expect(Object.hasOwn(Object.prototype, "type")).toBe(false);
  });

  it("compiles a schema once", () => {
    const schema = { type: "string" };
    expect(compileSchema(schema)).toBe(compileSchema(schema));
  });

  it("never throws, whatever comes in", () => {
    const word = fc.constantFrom(
      "type",
      "properties",
      "items",
      "$ref",
      "$defs",
      "$id",
      "$anchor",
      "$dynamicRef",
      "anyOf",
      "not",
      "if",
      "pattern",
      "required",
      "enum",
      "__proto__",
      "$async",
      "nullable",
      "#",
      "string",
    );
    const schemas = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.oneof(fc.jsonValue({ maxDepth: 1 }), word),
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(word, tie("any"), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(schemas, fc.jsonValue({ maxDepth: 2 }), (schema, value) => {
        const made = compileSchema(schema);
        if (made.ok) expect(Array.isArray(made.check(value))).toBe(true);
        else expect(made.problem).toMatch(/^[^\p{Cc}]{1,200}$/u);
      }),
      { numRuns: 300 },
    );
  });
});
