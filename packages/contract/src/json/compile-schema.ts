import { isRecord } from "./json-value.ts";

/** A JSON Schema 2020-12, limited to the keywords that the contract's schemas use. */
export interface ContractSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, ContractSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, ContractSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ContractSchema;
  readonly items?: ContractSchema;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly oneOf?: readonly ContractSchema[];
  readonly anyOf?: readonly ContractSchema[];
  readonly [annotation: string]: unknown;
}

/**
 * The keywords that are compiled or can be ignored; a schema with any other keyword is refused, because the
 * compiled test would not enforce that keyword.
 */
const keywords = new Set(
  "$schema $ref $defs type const enum properties propertyNames required additionalProperties items pattern minimum maximum oneOf anyOf".split(
    " ",
  ),
);

/** Returns true for a value that fits the schema. */
export type SchemaTest = (value: unknown) => boolean;

/**
 * Compiles a JSON Schema into closures that return true or false. The closures run on every response: parsing with
 * zod would be too slow, and generated code (as in ajv) is forbidden in workers. The zod schema from the same
 * source explains the errors in a value.
 */
export function compileSchema(schema: ContractSchema, root: ContractSchema = schema): SchemaTest {
  const { $ref, oneOf, anyOf, type } = schema;
  for (const keyword in schema) if (!keywords.has(keyword)) unsupported(keyword);
  if ($ref !== undefined)
    return compileSchema(root.$defs?.[$ref.replace("#/$defs/", "")] ?? unsupported($ref), root);
  if (oneOf !== undefined) return compileAlternatives(oneOf, root);
  if (anyOf !== undefined) {
    const [first, second] = anyOf.map((each) => compileSchema(each, root));
    if (first === undefined || second === undefined || anyOf.length > 2)
      return unsupported("anyOf of other than two");
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
        ? unsupported(type)
        : compileSchema({ anyOf: type.map((name) => ({ type: name })) }, root);
  }
}

function compileNumber({ type, minimum = -Infinity, maximum = Infinity }: ContractSchema): SchemaTest {
  const isInteger = type === "integer";
  return (value) =>
    typeof value === "number" &&
    value >= minimum &&
    value <= maximum &&
    Number.isFinite(value) &&
    (!isInteger || value % 1 === 0);
}

function compileArray({ items }: ContractSchema, root: ContractSchema): SchemaTest {
  const test = compileSchema(items ?? {}, root);
  return (value) => {
    if (!Array.isArray(value)) return false;
    // The code uses a loop instead of every(), which would skip the holes of an array: holes are null in
    // JSON.
    for (let index = 0; index < value.length; index++) if (!test(value[index])) return false;
    return true;
  };
}

/**
 * Tests an object by walking its own keys, because most reserved keys are usually absent. In V8 this is three times as
 * fast as looking up every name. Undefined members are skipped, because JSON leaves them out. A key is first compared
 * with the names that follow the previous one, because the keys of an envelope are usually in the order of the schema;
 * a comparison of names is faster than a lookup.
 */
function compileObject(
  { properties = {}, required = [], additionalProperties: rest = true }: ContractSchema,
  root: ContractSchema,
): SchemaTest {
  const names = Object.keys(properties);
  const members = names.map((name) => ({
    test: compileSchema(properties[name] ?? {}, root),
    count: required.includes(name) ? 1 : 0,
  }));
  const testOther = rest === false ? () => false : compileSchema(rest === true ? {} : rest, root);
  if (names.length === 0 && rest !== false && (rest === true || Object.keys(rest).length === 0))
    return isRecord;
  return (value) => {
    if (!isRecord(value)) return false;
    let present = 0;
    let next = 0;
    for (const key in value) {
      const member = value[key];
      if (member === undefined) continue;
      let rank = next;
      while (rank < names.length && names[rank] !== key) rank += 1;
      if (rank === names.length) rank = names.indexOf(key);
      else next = rank;
      const known = members[rank];
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

/** Compiles alternatives that are distinguished by the constant of their member `success`. */
function compileAlternatives(schemas: readonly ContractSchema[], root: ContractSchema): SchemaTest {
  const tests = new Map(
    schemas.map((schema) => {
      const { properties = {} } =
        schema.$ref === undefined ? schema : (root.$defs?.[schema.$ref.replace("#/$defs/", "")] ?? {});
      return [properties["success"]?.const, compileSchema(schema, root)];
    }),
  );
  return (value) => isRecord(value) && tests.get(value["success"])?.(value) === true;
}

function unsupported(name: string): never {
  throw new TypeError(`Cannot compile schema: "${name}" is not known`);
}
