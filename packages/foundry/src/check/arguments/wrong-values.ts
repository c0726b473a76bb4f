import { compileSchema } from "../schemas/compile-schema.ts";
import {
  type SchemaType,
  schemaTypes,
  toList,
  typesOf,
  type UntrustedSchema,
} from "../schemas/json-schema.ts";
import { mergeSchemas, settleSchema } from "../schemas/settle-schema.ts";

/** A value that a schema refuses, and what it is in words. */
export interface WrongValue {
  readonly value: unknown;
  readonly kind: string;
}

/** None of them can be taken for a value of another type, as "5" can for 5. */
const wrongs: readonly (WrongValue & { readonly type: SchemaType })[] = [
  { type: "object", value: { wrong: true }, kind: "an object" },
  { type: "string", value: "not what was asked for", kind: "a text" },
  { type: "array", value: [["wrong"], ["wrong"]], kind: "a list" },
];
/** What careless servers turn into the type that they want, or never look into. */
const nearly: Readonly<Partial<Record<SchemaType, WrongValue>>> = {
  string: { value: 7, kind: "a number" },
  integer: { value: "not a number", kind: "a text" },
  number: { value: "not a number", kind: "a text" },
  boolean: { value: "not what was asked for", kind: "a text" },
  array: { value: [{ wrong: true }], kind: "a list of what it does not take" },
  object: { value: { wrong: true }, kind: "an object without what it needs" },
};
const noSuchValue = "foundry-check-no-such-value";
const mostBranches = 30;

/**
 * Values that the schema certainly refuses, of as many kinds as it speaks of: another type, a type that is often
 * taken for it, none of its enum, out of its range. None where it may take anything.
 */
export function wrongValues(schema: UntrustedSchema): readonly WrongValue[] {
  const compiled = compileSchema(schema);
  if (!compiled.ok) return [];
  const types = admittedTypes(schema, schema);
  // An object that lacks a property is refused as well, but not for its type.
  const other = wrongs.find(({ type, value }) => !types.has(type) && compiled.check(value).length > 0);
  const near = [...types].length === 1 ? [...types].flatMap((type) => nearly[type] ?? []) : [];
  const made = [
    ...(other === undefined ? [] : [{ value: other.value, kind: other.kind }]),
    ...[...near, ...outOfBounds(schema)].filter(({ value }) => compiled.check(value).length > 0),
  ];
  const texts = made.map(({ value }) => JSON.stringify(value));
  return made.filter((_, index) => texts.indexOf(texts[index] ?? "") === index);
}

/** Values of the right type that are none of those that the schema lists, or beyond its bounds. */
function outOfBounds(schema: UntrustedSchema): readonly WrongValue[] {
  const settled = settleSchema(schema, schema) ?? {};
  const { enum: listed, minimum, maximum } = settled;
  if (Array.isArray(listed) && listed.some((value) => typeof value === "string"))
    return [{ value: noSuchValue, kind: "none of its values" }];
  if (typeof minimum === "number" && Number.isSafeInteger(minimum - 1))
    return [{ value: minimum - 1, kind: `${minimum - 1}, below its minimum` }];
  if (typeof maximum === "number" && Number.isSafeInteger(maximum + 1))
    return [{ value: maximum + 1, kind: `${maximum + 1}, above its maximum` }];
  return [];
}

/** The types that a schema may take; all of them where it does not say. */
function admittedTypes(schema: unknown, root: UntrustedSchema, depth = 0): ReadonlySet<SchemaType> {
  const all = new Set(schemaTypes);
  const settled = settleSchema(schema, root);
  if (settled === undefined || depth > 5) return all;
  const { anyOf, oneOf, ...rest } = settled;
  const branches = [...toList(anyOf), ...toList(oneOf)];
  if (branches.length > mostBranches) return all;
  if (branches.length > 0 && rest["type"] === undefined) {
    const merged = branches.map((branch) => settleSchema(branch, root));
    return new Set(
      merged.flatMap((branch) =>
        branch === undefined ? schemaTypes : [...admittedTypes(mergeSchemas(rest, branch), root, depth + 1)],
      ),
    );
  }
  const named = Object.hasOwn(rest, "const") ? [rest["const"]] : rest["enum"];
  if (rest["type"] !== undefined) return new Set(typesOf(rest));
  return Array.isArray(named) ? new Set(named.map(typeOf)) : all;
}

function typeOf(value: unknown): SchemaType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "object";
}
