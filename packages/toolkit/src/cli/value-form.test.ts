import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toInputShape } from "../catalogue/input-shape.ts";
import { fromTexts, toValueForm } from "./value-form.ts";

const formOf = (schema: z.ZodType) => {
  const { parameters, json } = toInputShape({ input: z.object({ value: schema }), run: () => ({}) }, "test");
  return toValueForm(parameters.get("value")!, json["$defs"]);
};

describe("the texts of an option", () => {
  const tree: z.ZodType = z.lazy(() => z.object({ children: z.array(tree) }));
  it.each<[string, z.ZodType, string[], unknown]>([
    ["a text", z.string(), ["hi"], "hi"],
    ["a text that looks like JSON", z.string(), ['"5"'], '"5"'],
    ["no text", z.string(), [""], ""],
    ["a choice", z.enum(["a", "1"]), ["1"], "1"],
    ["a choice that is none", z.enum(["a", "b"]), ["c"], "c"],
    ["a number", z.number(), ["1.5e3"], 1_500],
    ["a negative integer", z.int(), ["-3"], -3],
    ["what is no number", z.int(), ["3 apples"], "3 apples"],
    ["a number in quotes", z.int(), ['"3"'], "3"],
    ["no number at all", z.number(), [""], ""],
    ["a choice of numbers", z.union([z.literal(1), z.literal(2)]), ["2"], 2],
    ["a boolean by its place", z.boolean(), ["true"], true],
    ["what is no boolean", z.boolean(), ["maybe"], "maybe"],
    ["an object", z.object({ a: z.int() }), ['{"a": 1}'], { a: 1 }],
    ["what is no object", z.object({ a: z.int() }), ["{a"], "{a"],
    ["an object that refers to itself", tree, ['{"children":[]}'], { children: [] }],
    ["one item", z.array(z.string()), ["a"], ["a"]],
    ["several items", z.array(z.string()), ["a", "[b]"], ["a", "[b]"]],
    ["a JSON array", z.array(z.string()), ['["a","b"]'], ["a", "b"]],
    ["an empty array", z.array(z.string()), ["[]"], []],
    ["an item that looks like an array", z.array(z.string()), ["[draft]"], ["[draft]"]],
    ["items of numbers", z.array(z.int()), ["1", "x"], [1, "x"]],
    ["items of objects", z.array(z.object({ a: z.int() })), ['{"a":1}'], [{ a: 1 }]],
    ["text or number, a number", z.union([z.string(), z.number()]), ["5"], 5],
    ["text or number, a text", z.union([z.string(), z.number()]), ["five"], "five"],
    ["text or number, a number in quotes", z.union([z.string(), z.number()]), ['"5"'], "5"],
    ["text or number, neither", z.union([z.string(), z.number()]), ["[5]"], "[5]"],
    ["text or list, a text", z.union([z.string(), z.array(z.string())]), ["a"], "a"],
    ["text or list, a list", z.union([z.string(), z.array(z.string())]), ["a", "b"], ["a", "b"]],
    ["anything, an object", z.unknown(), ['{"a":1}'], { a: 1 }],
    ["anything, a text", z.unknown(), ["hi there"], "hi there"],
    ["a null that is required", z.string().nullable(), ["null"], null],
    ["a text where null may be", z.string().nullable(), ["p"], "p"],
    ["a text in quotes where null may be", z.string().nullable(), ['"x"'], '"x"'],
    ["a text that looks like JSON where null may be", z.string().nullable(), ["[1]"], "[1]"],
    ["a choice or null", z.enum(["a", "b"]).nullable(), ["null"], null],
    ["items that may be null", z.array(z.string().nullable()), ["null", '"x"'], [null, '"x"']],
    ["a null that means absent", z.string().nullish(), ["null"], "null"],
  ])("read %s", (_title, schema, texts, value) => {
    expect(fromTexts(texts, formOf(schema))).toEqual(value);
  });

  it("take a definition by its reference", () => {
    const shape = z.object({ a: z.int() }).meta({ id: "shared" });
    expect(fromTexts(['{"a":1}'], formOf(shape))).toEqual({ a: 1 });
  });
});
