import { isRecord } from "@foundry-mcp/contract";

/** A JSON Schema from a server: an object of unknown content. */
export type UntrustedSchema = Readonly<Record<string, unknown>>;

/** Reads an own property of an object. Returns undefined if the source is not an object. */
export function getOwn(source: unknown, key: string): unknown {
  return isRecord(source) && Object.hasOwn(source, key) ? source[key] : undefined;
}

/** Returns the value if it is an array, and an empty array otherwise. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The types of JSON Schema. */
export const schemaTypes = ["string", "integer", "number", "boolean", "array", "object", "null"] as const;

/** A type of JSON Schema. */
export type SchemaType = (typeof schemaTypes)[number];

/** Keywords that apply to one type only. */
const keywordTypes: Readonly<Record<string, SchemaType>> = {
  properties: "object",
  required: "object",
  additionalProperties: "object",
  items: "array",
  prefixItems: "array",
  minItems: "array",
  format: "string",
  pattern: "string",
  minLength: "string",
  maxLength: "string",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "number",
};

/**
 * Returns the types to try for a schema. These are the types that the schema names, or else the types of its
 * keywords, or else all types.
 */
export function typesOf(schema: UntrustedSchema): readonly SchemaType[] {
  const { type } = schema;
  if (type !== undefined) {
    const named = [type].flat();
    const types = schemaTypes.filter((known) => named.includes(known));
    return schema["nullable"] === true && !types.includes("null") ? [...types, "null"] : types;
  }
  const meant = Object.keys(keywordTypes).filter((word) => Object.hasOwn(schema, word));
  const [first] = meant;
  return first === undefined
    ? schemaTypes
    : [...new Set(meant.map((word) => keywordTypes[word]))].filter(isType);
}

function isType(type: SchemaType | undefined): type is SchemaType {
  return type !== undefined;
}

/**
 * Resolves a reference such as `#/$defs/port` in a root schema. Returns undefined if the reference points to nothing.
 */
export function resolveRef(ref: unknown, root: UntrustedSchema): unknown {
  if (typeof ref !== "string" || !(ref === "#" || ref.startsWith("#/"))) return undefined;
  let found: unknown = root;
  for (const step of ref.split("/").slice(1)) {
    const key = decodeStep(step);
    found = Array.isArray(found) ? found[Number(key)] : getOwn(found, key);
  }
  return found;
}

function decodeStep(step: string): string {
  return decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
