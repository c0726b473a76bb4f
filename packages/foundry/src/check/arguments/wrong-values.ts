import { compileSchema } from "../schemas/compile-schema.ts";
import { flattenSchema, mergeSchemas } from "../schemas/flatten-schema.ts";
import {
  type SchemaType,
  schemaTypes,
  toList,
  typesOf,
  type UntrustedSchema,
} from "../schemas/json-schema.ts";

/** A value that a schema rejects, and its description. */
export interface WrongValue {
  readonly value: unknown;
  readonly kind: string;
}

/** Values that no server can coerce to another type, in contrast to "5", which a server can coerce to 5. */
const otherTypes: readonly (WrongValue & { readonly type: SchemaType })[] = [
  { type: "object", value: { wrong: true }, kind: "an object" },
  { type: "string", value: "not what was asked for", kind: "a text" },
  { type: "array", value: [["wrong"], ["wrong"]], kind: "a list" },
];
/** Values that careless servers coerce to the wanted type or do not check. */
const nearMisses: Readonly<Partial<Record<SchemaType, WrongValue>>> = {
  string: { value: 7, kind: "a number" },
  integer: { value: "not a number", kind: "a text" },
  number: { value: "not a number", kind: "a text" },
  boolean: { value: "not what was asked for", kind: "a text" },
  array: { value: [{ wrong: true }], kind: "a list of what it does not take" },
  object: { value: { wrong: true }, kind: "an object without what it needs" },
};
const noSuchValue = "foundry-check-no-such-value";
const maxBranches = 30;

/**
 * Returns values that the schema rejects, at most one of each kind. The kinds are a value of another type,
 * a value that servers often coerce, and a value outside the enum or range of the schema. Returns an empty
 * list if the schema may admit anything.
 */
export function wrongValues(schema: UntrustedSchema): readonly WrongValue[] {
  const compiled = compileSchema(schema);
  if (!compiled.ok) return [];
  const types = admittedTypes(schema, schema);
  // The schema may also reject a value of an admitted type, but not because of the type.
  const other = otherTypes.find(({ type, value }) => !types.has(type) && compiled.check(value).length > 0);
  const near = [...types].length === 1 ? [...types].flatMap((type) => nearMisses[type] ?? []) : [];
  const candidates = [
    ...(other === undefined ? [] : [{ value: other.value, kind: other.kind }]),
    ...[...near, ...outOfBounds(schema)].filter(({ value }) => compiled.check(value).length > 0),
  ];
  const texts = candidates.map(({ value }) => JSON.stringify(value));
  return candidates.filter((_, index) => texts.indexOf(texts[index] ?? "") === index);
}

/** Returns a value of the right type that is outside the enum or the bounds of the schema. */
function outOfBounds(schema: UntrustedSchema): readonly WrongValue[] {
  const flat = flattenSchema(schema, schema) ?? {};
  const { enum: listed, minimum, maximum } = flat;
  if (Array.isArray(listed) && listed.some((value) => typeof value === "string"))
    return [{ value: noSuchValue, kind: "none of its values" }];
  if (typeof minimum === "number" && Number.isSafeInteger(minimum - 1))
    return [{ value: minimum - 1, kind: `${minimum - 1}, below its minimum` }];
  if (typeof maximum === "number" && Number.isSafeInteger(maximum + 1))
    return [{ value: maximum + 1, kind: `${maximum + 1}, above its maximum` }];
  return [];
}

/** Returns the types that a schema admits, or all types if the schema names none. */
function admittedTypes(schema: unknown, root: UntrustedSchema, depth = 0): ReadonlySet<SchemaType> {
  const all = new Set(schemaTypes);
  const flat = flattenSchema(schema, root);
  if (flat === undefined || depth > 5) return all;
  const { anyOf, oneOf, ...rest } = flat;
  const branches = [...toList(anyOf), ...toList(oneOf)];
  if (branches.length > maxBranches) return all;
  if (branches.length > 0 && rest["type"] === undefined) {
    const merged = branches.map((branch) => flattenSchema(branch, root));
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
