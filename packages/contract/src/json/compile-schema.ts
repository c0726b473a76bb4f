import { isRecord } from "./json-value.ts";

/** The part of JSON Schema 2020-12 that the contract's own schemas use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly [annotation: string]: unknown;
}

/** What is looked at, and what needs no look; any other keyword would be a rule that is not kept. */
const keywords = new Set(
  "$schema $ref $defs type const enum properties propertyNames required additionalProperties items pattern minimum maximum oneOf anyOf".split(
    " ",
  ),
);

/** Tells whether a value fits a schema. */
export type SchemaTest = (value: unknown) => boolean;

/**
 * Compiles a JSON Schema into closures that answer yes or no. It runs on every answer, which zod's own
 * parsing is too slow for; and code generation, as ajv does it, is forbidden in workers. What exactly
 * is wrong is zod's to say, from the same source.
 */
export function compileSchema(schema: JsonSchema, root: JsonSchema = schema): SchemaTest {
  const { $ref, oneOf, anyOf, type } = schema;
  for (const keyword in schema) if (!keywords.has(keyword)) unknownSchema(keyword);
  if ($ref !== undefined)
    return compileSchema(root.$defs?.[$ref.replace("#/$defs/", "")] ?? unknownSchema($ref), root);
  if (oneOf !== undefined) return compileAlternatives(oneOf, root);
  if (anyOf !== undefined) {
    const [first, second] = anyOf.map((each) => compileSchema(each, root));
    if (first === undefined || second === undefined || anyOf.length > 2)
      return unknownSchema("anyOf of other than two");
    return (value) => first(value) || second(value);
  }
  if ("const" in schema) return (value) => value === schema.const;
  if (schema.enum !== undefined) return (value) => schema.enum?.includes(value) === true;
  switch (type) {
    case undefined:
      return () => true;
    case "object":
      return compileObject(schema, root);
    case "array":
      return compileArray(schema, root);
    case "null":
      return (value) => value === null;
    case "boolean":
      return (value) => typeof value === "boolean";
    case "number":
    case "integer":
      return compileNumber(schema);
    case "string": {
      const pattern = schema.pattern === undefined ? null : new RegExp(schema.pattern, "u");
      return (value) => typeof value === "string" && (pattern === null || pattern.test(value));
    }
    default:
      return typeof type === "string"
        ? unknownSchema(type)
        : compileSchema({ anyOf: type.map((name) => ({ type: name })) }, root);
  }
}

function compileNumber({ type, minimum = -Infinity, maximum = Infinity }: JsonSchema): SchemaTest {
  const isInteger = type === "integer";
  return (value) =>
    typeof value === "number" &&
    value >= minimum &&
    value <= maximum &&
    Number.isFinite(value) &&
    (!isInteger || value % 1 === 0);
}

function compileArray({ items }: JsonSchema, root: JsonSchema): SchemaTest {
  const test = compileSchema(items ?? {}, root);
  return (value) => {
    if (!Array.isArray(value)) return false;
    // A loop, not every(): a hole is null in JSON and must not be passed over.
    for (let index = 0; index < value.length; index++) if (!test(value[index])) return false;
    return true;
  };
}

/**
 * Tests an object by walking the keys it has: most reserved keys are absent most of the time. In V8
 * this is three times as fast as looking every name up. An undefined member is one that JSON leaves out.
 */
function compileObject(
  { properties = {}, required = [], additionalProperties: rest = true }: JsonSchema,
  root: JsonSchema,
): SchemaTest {
  const members = new Map(
    Object.entries(properties).map(([key, inner]) => [
      key,
      { test: compileSchema(inner, root), count: required.includes(key) ? 1 : 0 },
    ]),
  );
  const testOther = rest === false ? () => false : compileSchema(rest === true ? {} : rest, root);
  if (members.size === 0 && rest !== false && (rest === true || Object.keys(rest).length === 0))
    return isRecord;
  return (value) => {
    if (!isRecord(value)) return false;
    let present = 0;
    for (const key in value) {
      const member = value[key];
      if (member === undefined) continue;
      const known = members.get(key);
      if (known === undefined) {
        if (!testOther(member)) return false;
      } else {
        if (!known.test(member)) return false;
        present += known.count;
      }
    }
    return present === required.length;
  };
}

/** Alternatives are told apart by the one member that is constant in each. */
function compileAlternatives(schemas: readonly JsonSchema[], root: JsonSchema): SchemaTest {
  const tests = new Map(
    schemas.map((schema) => {
      const { properties = {} } =
        schema.$ref === undefined ? schema : (root.$defs?.[schema.$ref.replace("#/$defs/", "")] ?? {});
      return [properties["success"]?.const, compileSchema(schema, root)];
    }),
  );
  return (value) => isRecord(value) && tests.get(value["success"])?.(value) === true;
}

function unknownSchema(name: string): never {
  throw new TypeError(`Cannot compile schema: "${name}" is not known`);
}
