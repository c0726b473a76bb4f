import { isRecord } from "@foundry-mcp/contract";
import { resolveReference } from "./resolve-reference.ts";
import type { JsonSchema } from "./schema.ts";

/** The values that a schema admits, judged only by its types, patterns and lists of values. */
export interface Admitted {
  /** A superset of the JSON types that the schema admits; undefined if every type is admitted. */
  readonly types: ReadonlySet<string> | undefined;
  /** Returns false for a text that a pattern or a list of values excludes. */
  admitsText(text: string): boolean;
  /** The texts that the schema lists; undefined if the schema also admits other texts. */
  readonly texts: readonly string[] | undefined;
}

/** Returns the values that a schema admits; `root` is the schema that `$ref` points into. */
export function toAdmitted(schema: JsonSchema, root: JsonSchema): Admitted {
  const leaves = leavesOf(schema, root);
  const types = leaves.map(typesOf);
  const tests = leaves.map(toTextTest);
  const texts = leaves.filter(mayBeText).map(listedTexts);
  return {
    types: types.includes(undefined) ? undefined : new Set(types.flatMap((names) => names ?? [])),
    admitsText: (text) => tests.some((test) => test(text)),
    texts: texts.includes(undefined) ? undefined : texts.flatMap((values) => values ?? []),
  };
}

const combinations = ["anyOf", "oneOf", "allOf"] as const;

/**
 * Returns the innermost schemas of a schema, which name types or values. Every value of the schema fits at
 * least one of these innermost schemas.
 */
function leavesOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const leaves: JsonSchema[] = [];
  // The loop also visits schemas that are added to the set during the loop. The set ensures that each schema
  // is visited only once, even if a schema refers to itself.
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

/** Returns the types that a schema names directly; undefined if the schema names no type. */
function typesOf({ type, enum: values, const: only }: JsonSchema): readonly string[] | undefined {
  if (type !== undefined) return [type].flat().map(String);
  if (Array.isArray(values)) return values.map(typeOf);
  return only === undefined ? undefined : [typeOf(only)];
}

function mayBeText(schema: JsonSchema): boolean {
  return typesOf(schema)?.includes("string") ?? true;
}

/** Returns the texts that a schema lists as its values; undefined if the schema lists no values. */
function listedTexts({ enum: values, const: only }: JsonSchema): readonly string[] | undefined {
  const listed: readonly unknown[] | undefined = Array.isArray(values)
    ? values
    : only === undefined
      ? undefined
      : [only];
  return listed?.filter((value) => typeof value === "string");
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
    // A pattern that is not a valid JavaScript regular expression is ignored here, so it excludes no text.
    return () => true;
  }
  return (text) => expression.test(text);
}
