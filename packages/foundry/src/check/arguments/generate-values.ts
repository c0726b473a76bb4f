import { isRecord } from "@foundry-mcp/contract";
import { compileSchema } from "../schemas/compile-schema.ts";
import { flattenSchema, mergeSchemas } from "../schemas/flatten-schema.ts";
import { getOwn, toList, typesOf, type UntrustedSchema } from "../schemas/json-schema.ts";
import { generateNumbers, generateTexts } from "./generate-scalars.ts";

const maxDepth = 5;
const maxBranches = 10;
const maxItemCount = 100;
const maxPropertyCount = 50;

/** The state while values are generated for one schema. */
export interface GenerationContext {
  /** The schema in which each `$ref` is resolved. */
  readonly root: UntrustedSchema;
  /**
   * The number of schemas that may still be visited. The number is limited because nested alternatives
   * multiply.
   */
  schemasLeft: number;
}

/**
 * Generates values that may fit a schema, the likeliest first. The caller checks each value against the
 * schema.
 */
export function generateValues(schema: unknown, context: GenerationContext, depth = 0): readonly unknown[] {
  if (context.schemasLeft-- <= 0 || depth > maxDepth) return [];
  const flat = flattenSchema(schema, context.root);
  if (flat === undefined) return [];
  const { anyOf, oneOf, ...rest } = flat;
  const branches = [...toList(anyOf), ...toList(oneOf)].slice(0, maxBranches);
  const made = branches.flatMap((branch) =>
    generateValues(isRecord(branch) ? mergeSchemas(rest, branch) : rest, context, depth),
  );
  const own = branches.length === 0 ? generateByType(rest, context, depth) : [];
  return nullsLast([...declaredValues(rest), ...made, ...own]);
}

/** Returns the values that a schema lists in const, default, example, examples and enum. */
export function declaredValues(schema: UntrustedSchema): readonly unknown[] {
  const named = ["const", "default", "example"].filter((key) => Object.hasOwn(schema, key));
  return nullsLast([
    ...named.map((key) => schema[key]),
    ...toList(schema["examples"]),
    ...toList(schema["enum"]),
  ]);
}

/** Moves null to the end of the values, because null is the least useful value. */
export function nullsLast(values: readonly unknown[]): readonly unknown[] {
  return [...values.filter((value) => value !== null), ...values.filter((value) => value === null)];
}

function generateByType(
  schema: UntrustedSchema,
  context: GenerationContext,
  depth: number,
): readonly unknown[] {
  if (Object.hasOwn(schema, "const") || Array.isArray(schema["enum"])) return [];
  return typesOf(schema).flatMap((type): readonly unknown[] => {
    if (type === "string") return generateTexts(schema);
    if (type === "integer" || type === "number") return generateNumbers(schema, type === "integer");
    if (type === "boolean") return [false, true];
    if (type === "array") return generateArrays(schema, context, depth);
    return type === "object" ? generateObjects(schema, context, depth) : [null];
  });
}

function generateArrays(
  schema: UntrustedSchema,
  context: GenerationContext,
  depth: number,
): readonly unknown[] {
  const prefix = toList(schema["prefixItems"] ?? schema["items"]);
  const { items, contains, minItems, maxItems } = schema;
  const each = [items, contains].find(isRecord);
  const min = typeof minItems === "number" ? Math.ceil(minItems) : 0;
  if (min > maxItemCount) return [];
  const wanted = Math.max(min, prefix.length, each === undefined ? 0 : 1);
  const count = typeof maxItems === "number" ? Math.min(wanted, maxItems) : wanted;
  const values = each === undefined ? ["test"] : fitting(each, context, depth + 1);
  const made = Array.from({ length: Math.max(0, count) }, (_, index) => {
    const item = prefix[index];
    if (item !== undefined) return fitting(item, context, depth + 1)[0];
    return schema["uniqueItems"] === true ? (values[index] ?? vary(values[0], index)) : values[0];
  });
  if (made.includes(undefined)) return [[]];
  const others = count === 1 && prefix.length === 0 ? values.slice(1).map((value) => [value]) : [];
  return [made, ...others, []];
}

/** Returns another value of the same type as `value`, so that the items of a list differ. */
function vary(value: unknown, by: number): unknown {
  if (typeof value === "number") return value + by;
  return typeof value === "string" ? `${value}${by}` : undefined;
}

function generateObjects(
  schema: UntrustedSchema,
  context: GenerationContext,
  depth: number,
): readonly unknown[] {
  const found = schema["properties"];
  const properties = isRecord(found) ? found : {};
  const names = Object.keys(properties);
  const required = [
    ...new Set(toList(schema["required"]).filter((name): name is string => typeof name === "string")),
  ];
  if (required.length > maxPropertyCount) return [];
  const min = typeof schema["minProperties"] === "number" ? schema["minProperties"] : 0;
  const optional = names.filter((name) => !required.includes(name));
  const missing = Math.max(0, Math.min(maxPropertyCount, Math.ceil(min)) - required.length);
  const more = Array.from(
    { length: Math.max(0, missing - optional.length) },
    (_, index) => `key_${index + 1}`,
  );
  const entryOf = (name: string): readonly [string, unknown] => {
    const own = getOwn(properties, name) ?? schema["additionalProperties"] ?? {};
    return [name, fitting(own, context, depth + 1)[0]];
  };
  const small = [...required, ...optional.slice(0, missing), ...more].map(entryOf);
  const whole = () => [...required, ...optional].slice(0, maxPropertyCount).map(entryOf);
  // A schema may require some of its optional properties, so objects with more properties are also tried.
  const hasChoice = optional.length > missing;
  // If no property is required, the schema may allow exactly one of its properties.
  const single = hasChoice && required.length === 0 ? optional.slice(0, maxBranches) : [];
  const made = [
    small,
    ...(depth === 0 && hasChoice ? [whole()] : []),
    ...single.map((name) => [entryOf(name)]),
  ];
  return made
    .map((entries, index) => (index === 0 ? entries : entries.filter(([, value]) => value !== undefined)))
    .filter((entries) => entries.every(([, value]) => value !== undefined))
    .map((entries) => Object.fromEntries(entries));
}

/** Generates values for a subschema and keeps the values that match the subschema. */
function fitting(schema: unknown, context: GenerationContext, depth: number): readonly unknown[] {
  const values = [...new Set(generateValues(schema, context, depth))];
  if (!isRecord(schema) || values.length < 2) return values;
  const { $schema, $defs, definitions } = context.root;
  const compiled = compileSchema({ $schema, ...schema, $defs, definitions });
  // A subschema that refers to the root schema cannot be compiled alone. The caller checks the whole value
  // at the end.
  return compiled.ok ? values.filter((value) => compiled.check(value).length === 0) : values;
}
