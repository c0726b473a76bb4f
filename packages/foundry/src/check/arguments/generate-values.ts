import { isRecord } from "@foundry-mcp/contract";
import { compileSchema } from "../schemas/compile-schema.ts";
import { getOwn, toList, typesOf, type UntrustedSchema } from "../schemas/json-schema.ts";
import { mergeSchemas, settleSchema } from "../schemas/settle-schema.ts";
import { makeNumbers, makeTexts } from "./make-scalars.ts";

const deepest = 5;
const mostBranches = 10;
const mostItems = 100;
const mostProperties = 50;

/** What the values of one schema are made with. */
export interface Maker {
  /** Where references begin. */
  readonly root: UntrustedSchema;
  /** How many more schemas are looked at: choices within choices multiply. */
  left: number;
}

/** Values that may fit a schema, the likeliest first; only a check tells whether they do. */
export function makeValues(schema: unknown, maker: Maker, depth = 0): readonly unknown[] {
  if (maker.left-- <= 0 || depth > deepest) return [];
  const settled = settleSchema(schema, maker.root);
  if (settled === undefined) return [];
  const { anyOf, oneOf, ...rest } = settled;
  const branches = [...toList(anyOf), ...toList(oneOf)].slice(0, mostBranches);
  const made = branches.flatMap((branch) =>
    makeValues(isRecord(branch) ? mergeSchemas(rest, branch) : rest, maker, depth),
  );
  const own = branches.length === 0 ? makeByType(rest, maker, depth) : [];
  return lastNull([...statedValues(rest), ...made, ...own]);
}

/** The values that a schema itself names. */
export function statedValues(schema: UntrustedSchema): readonly unknown[] {
  const named = ["const", "default", "example"].filter((key) => Object.hasOwn(schema, key));
  return lastNull([
    ...named.map((key) => schema[key]),
    ...toList(schema["examples"]),
    ...toList(schema["enum"]),
  ]);
}

/** null is the least telling of values. */
export function lastNull(values: readonly unknown[]): readonly unknown[] {
  return [...values.filter((value) => value !== null), ...values.filter((value) => value === null)];
}

function makeByType(schema: UntrustedSchema, maker: Maker, depth: number): readonly unknown[] {
  if (Object.hasOwn(schema, "const") || Array.isArray(schema["enum"])) return [];
  return typesOf(schema).flatMap((type): readonly unknown[] => {
    if (type === "string") return makeTexts(schema);
    if (type === "integer" || type === "number") return makeNumbers(schema, type === "integer");
    if (type === "boolean") return [false, true];
    if (type === "array") return makeArrays(schema, maker, depth);
    return type === "object" ? makeObjects(schema, maker, depth) : [null];
  });
}

function makeArrays(schema: UntrustedSchema, maker: Maker, depth: number): readonly unknown[] {
  const prefix = toList(schema["prefixItems"] ?? schema["items"]);
  const { items, contains, minItems, maxItems } = schema;
  const each = [items, contains].find(isRecord);
  const least = typeof minItems === "number" ? Math.ceil(minItems) : 0;
  if (least > mostItems) return [];
  const wish = Math.max(least, prefix.length, each === undefined ? 0 : 1);
  const count = typeof maxItems === "number" ? Math.min(wish, maxItems) : wish;
  const values = each === undefined ? ["test"] : fitting(each, maker, depth + 1);
  const made = Array.from({ length: Math.max(0, count) }, (_, index) => {
    const place = prefix[index];
    if (place !== undefined) return fitting(place, maker, depth + 1)[0];
    return schema["uniqueItems"] === true ? (values[index] ?? vary(values[0], index)) : values[0];
  });
  return made.includes(undefined) ? [[]] : [made, []];
}

/** Another value much like the first. */
function vary(value: unknown, by: number): unknown {
  if (typeof value === "number") return value + by;
  return typeof value === "string" ? `${value}${by}` : undefined;
}

function makeObjects(schema: UntrustedSchema, maker: Maker, depth: number): readonly unknown[] {
  const found = schema["properties"];
  const properties = isRecord(found) ? found : {};
  const names = Object.keys(properties);
  const required = [
    ...new Set(toList(schema["required"]).filter((name): name is string => typeof name === "string")),
  ];
  if (required.length > mostProperties) return [];
  const least = typeof schema["minProperties"] === "number" ? schema["minProperties"] : 0;
  const optional = names.filter((name) => !required.includes(name));
  const missing = Math.max(0, Math.min(mostProperties, Math.ceil(least)) - required.length);
  const more = Array.from(
    { length: Math.max(0, missing - optional.length) },
    (_, index) => `key_${index + 1}`,
  );
  const entryOf = (name: string): readonly [string, unknown] => {
    const own = getOwn(properties, name) ?? schema["additionalProperties"] ?? {};
    return [name, fitting(own, maker, depth + 1)[0]];
  };
  const small = [...required, ...optional.slice(0, missing), ...more].map(entryOf);
  const whole = () => [...required, ...optional].slice(0, mostProperties).map(entryOf);
  // Some schemas want one of two properties, or one that goes with another: then all of them may fit.
  const made = [small, ...(depth === 0 && optional.length > missing ? [whole()] : [])];
  return made
    .map((entries, index) => (index === 0 ? entries : entries.filter(([, value]) => value !== undefined)))
    .filter((entries) => entries.every(([, value]) => value !== undefined))
    .map((entries) => Object.fromEntries(entries));
}

/** The values made for a part of the schema that fit that part. */
function fitting(schema: unknown, maker: Maker, depth: number): readonly unknown[] {
  const values = [...new Set(makeValues(schema, maker, depth))];
  if (!isRecord(schema) || values.length < 2) return values;
  const { $schema, $defs, definitions } = maker.root;
  const compiled = compileSchema({ $schema, ...schema, $defs, definitions });
  // A part that refers to the whole cannot be compiled by itself; the whole is checked in the end.
  return compiled.ok ? values.filter((value) => compiled.check(value).length === 0) : values;
}
