import type { UntrustedSchema } from "../schemas/json-schema.ts";

/** The types of JSON Schema. */
export const schemaTypes = ["string", "integer", "number", "boolean", "array", "object", "null"] as const;

/** A type of JSON Schema. */
export type SchemaType = (typeof schemaTypes)[number];

/** Words that only mean something to one type. */
const marks: Readonly<Record<string, SchemaType>> = {
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

/** The types to try for a schema: those that it names, else those that its words are about, else all. */
export function typesOf(schema: UntrustedSchema): readonly SchemaType[] {
  const { type } = schema;
  if (type !== undefined) {
    const named = [type].flat();
    const types = schemaTypes.filter((known) => named.includes(known));
    return schema["nullable"] === true && !types.includes("null") ? [...types, "null"] : types;
  }
  const meant = Object.keys(marks).filter((word) => Object.hasOwn(schema, word));
  const [first] = meant;
  return first === undefined ? schemaTypes : [...new Set(meant.map((word) => marks[word]))].filter(isType);
}

function isType(type: SchemaType | undefined): type is SchemaType {
  return type !== undefined;
}
