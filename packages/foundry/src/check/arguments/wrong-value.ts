import { compileSchema } from "../schemas/compile-schema.ts";
import { type JsonSchema, toList } from "../schemas/json-schema.ts";
import { mergeSchemas, settleSchema } from "../schemas/settle-schema.ts";
import { type SchemaType, schemaTypes, typesOf } from "./schema-types.ts";

/** A value of the wrong type, and what it is in words. */
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
const mostBranches = 30;

/** A value of a type that the schema certainly refuses; undefined where it may take every type. */
export function wrongTypeValue(schema: JsonSchema): WrongValue | undefined {
  const compiled = compileSchema(schema);
  if (!compiled.ok) return undefined;
  const types = admittedTypes(schema, schema);
  // An object that lacks a property is refused as well, but not for its type.
  const wrong = wrongs.find(({ type, value }) => !types.has(type) && compiled.check(value).length > 0);
  return wrong === undefined ? undefined : { value: wrong.value, kind: wrong.kind };
}

/** The types that a schema may take; all of them where it does not say. */
function admittedTypes(schema: unknown, root: JsonSchema, depth = 0): ReadonlySet<SchemaType> {
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
