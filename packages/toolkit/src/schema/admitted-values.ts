import { isRecord } from "@foundry-mcp/contract";
import { resolveReference } from "./resolve-reference.ts";
import type { JsonSchema } from "./schema.ts";

/** The values that a schema admits, as far as its types, patterns and lists of values say. */
export interface Admitted {
  /** At least the JSON types that the schema admits; undefined for any. */
  readonly types: ReadonlySet<string> | undefined;
  /** False for a text that a pattern or a list of values excludes. */
  admitsText(text: string): boolean;
}

/** Returns the values that a schema admits; `root` is the schema that `$ref` points into. */
export function toAdmitted(schema: JsonSchema, root: JsonSchema): Admitted {
  const leaves = leavesOf(schema, root);
  const types = leaves.map(typesOf);
  const tests = leaves.map(toTextTest);
  return {
    types: types.includes(undefined) ? undefined : new Set(types.flatMap((names) => names ?? [])),
    admitsText: (text) => tests.some((test) => test(text)),
  };
}

const combinations = ["anyOf", "oneOf", "allOf"] as const;

/** Returns the schemas that name types or values themselves; a value of the schema fits one of them. */
function leavesOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const leaves: JsonSchema[] = [];
  // A set includes what is added to it while it is iterated, and a schema that refers to itself once.
  const queue = new Set([schema]);
  for (const each of queue) {
    const target = resolveReference(each["$ref"], root);
    const alternatives = combinations.map((keyword) => each[keyword]).find(Array.isArray);
    if (typesOf(each) !== undefined) leaves.push(each);
    else if (target !== undefined) queue.add(target);
    else if (alternatives !== undefined)
      for (const branch of alternatives) queue.add(isRecord(branch) ? branch : {});
    else leaves.push(each);
  }
  return leaves;
}

/** The types that a schema names itself; undefined where it names none. */
function typesOf({ type, enum: values, const: only }: JsonSchema): readonly string[] | undefined {
  if (type !== undefined) return [type].flat().map(String);
  if (Array.isArray(values)) return values.map(typeOf);
  return only === undefined ? undefined : [typeOf(only)];
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function toTextTest({ enum: values, const: only, pattern }: JsonSchema): (text: string) => boolean {
  if (Array.isArray(values)) return (text) => values.includes(text);
  if (only !== undefined) return (text) => text === only;
  if (typeof pattern !== "string") return () => true;
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, "u");
  } catch {
    // A pattern that only its own library can read excludes nothing here.
    return () => true;
  }
  return (text) => expression.test(text);
}
