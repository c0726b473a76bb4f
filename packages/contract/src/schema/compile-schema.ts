import { toStep } from "../json/json-path.ts";
import { isRecord, type UnknownRecord } from "../json/json-value.ts";
import { codePointLength } from "../text/code-points.ts";

/** The part of JSON Schema 2020-12 that the contract's own schemas use. */
export interface JsonSchema {
  readonly $comment?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** One way in which a value differs from its schema. */
export interface SchemaProblem {
  /** JSON path of the place, `$` being the whole. */
  readonly path: string;
  /** The schema keyword that does not hold. */
  readonly keyword: keyof JsonSchema;
  /** What that keyword asks for. */
  readonly expected: unknown;
  /** The `$comment` of the nearest schema that has one: the contract's rule id. */
  readonly rule: string | undefined;
}

/** A compiled schema: a quick yes or no, and the full list of what is wrong. */
export interface CompiledSchema {
  is(value: unknown): boolean;
  problems(value: unknown): SchemaProblem[];
}

/**
 * Compiles a JSON Schema into closures.
 *
 * The zod schemas are the one source; what they print as JSON Schema is what third parties validate
 * with, and what we validate with. Code generation (ajv) is no choice here: workers forbid it.
 */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  const check = compile(schema, { root: schema, rule: undefined });
  return {
    is: (value) => check(value, null, "$"),
    problems: (value) => {
      const problems: SchemaProblem[] = [];
      check(value, problems, "$");
      return problems;
    },
  };
}

/** Checks one value. Without a list it stops at the first problem and builds no path. */
type Check = (value: unknown, problems: SchemaProblem[] | null, path: string) => boolean;

interface Scope {
  readonly root: JsonSchema;
  readonly rule: string | undefined;
}

function compile(schema: JsonSchema, outer: Scope): Check {
  const scope: Scope = { root: outer.root, rule: schema.$comment ?? outer.rule };
  if (schema.$ref !== undefined) return compileReference(schema.$ref, scope);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) return compileAlternatives(alternatives, scope);
  const checks = [...compileType(schema, scope), ...compileKeywords(schema, scope)];
  const [first, second] = checks;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (checks.length === 2)
    return (value, problems, path) => first(value, problems, path) && second(value, problems, path);
  // A value of the wrong type is reported once, not once for each of its other keywords.
  return (value, problems, path) => {
    for (const check of checks) if (!check(value, problems, path)) return false;
    return true;
  };
}

function compileReference(reference: string, scope: Scope): Check {
  const target = reference === "#" ? scope.root : scope.root.$defs?.[reference.replace("#/$defs/", "")];
  if (target === undefined) throw new TypeError(`Cannot compile schema: "${reference}" names no definition`);
  let check: Check | undefined;
  return (value, problems, path) => {
    check ??= compile(target, scope);
    return check(value, problems, path);
  };
}

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isRecord,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

function compileType(schema: JsonSchema, scope: Scope): Check[] {
  const { type } = schema;
  if (type === undefined) return [];
  if (typeof type !== "string")
    return [
      compileAlternatives(
        type.map((name) => ({ type: name })),
        scope,
      ),
    ];
  const test = typeTests[type];
  if (test === undefined) throw new TypeError(`Cannot compile schema: unknown type "${type}"`);
  return [keyword(test, "type", type, scope)];
}

function compileKeywords(schema: JsonSchema, scope: Scope): Check[] {
  const checks: Check[] = [];
  const add = (name: keyof JsonSchema, test: (value: never) => boolean) =>
    checks.push(keyword(test as (value: unknown) => boolean, name, schema[name], scope));
  const { minimum, maximum, minLength, maxLength, maxItems, pattern } = schema;
  if ("const" in schema) add("const", (value: unknown) => value === schema.const);
  if (schema.enum !== undefined) add("enum", (value: unknown) => schema.enum?.includes(value) === true);
  if (minimum !== undefined) add("minimum", (value: number) => value >= minimum);
  if (maximum !== undefined) add("maximum", (value: number) => value <= maximum);
  if (minLength !== undefined) add("minLength", (value: string) => codePointLength(value) >= minLength);
  if (maxLength !== undefined) {
    add("maxLength", (value: string) => value.length <= maxLength || codePointLength(value) <= maxLength);
  }
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, "u");
    add("pattern", (value: string) => expression.test(value));
  }
  if (maxItems !== undefined) add("maxItems", (value: unknown[]) => value.length <= maxItems);
  if (schema.items !== undefined) checks.push(compileItems(schema.items, scope));
  if (schema.properties !== undefined || schema.additionalProperties !== undefined)
    checks.push(compileMembers(schema, scope));
  return checks;
}

function keyword(
  test: (value: unknown) => boolean,
  name: keyof JsonSchema,
  expected: unknown,
  scope: Scope,
): Check {
  return (value, problems, path) => {
    if (test(value)) return true;
    problems?.push({ path, keyword: name, expected, rule: scope.rule });
    return false;
  };
}

function compileItems(schema: JsonSchema, scope: Scope): Check {
  const check = compile(schema, scope);
  return (value, problems, path) => {
    let holds = true;
    const items = value as readonly unknown[];
    for (let index = 0; index < items.length; index++) {
      holds = check(items[index], problems, problems === null ? path : `${path}[${index}]`) && holds;
      if (!holds && problems === null) return false;
    }
    return holds;
  };
}

function compileMembers(schema: JsonSchema, scope: Scope): Check {
  const members = new Map(
    Object.entries(schema.properties ?? {}).map(([key, inner]) => [key, compile(inner, scope)]),
  );
  const required = schema.required ?? [];
  const rest = schema.additionalProperties;
  const additional = typeof rest === "object" && Object.keys(rest).length > 0 ? compile(rest, scope) : null;
  // Open objects are checked by their known names, closed ones key by key: a payload of ten thousand
  // keys costs nothing where nothing is said about them.
  const names = [...members.keys()];
  const visitsAll = rest === false || additional !== null;
  return (value, problems, path) => {
    const record = value as UnknownRecord;
    let holds = true;
    for (const key of required) {
      if (Object.hasOwn(record, key)) continue;
      holds = false;
      if (problems === null) return false;
      problems.push({ path, keyword: "required", expected: key, rule: ruleOf(schema, key) ?? scope.rule });
    }
    for (const key of visitsAll ? Object.keys(record) : names) {
      const check = members.get(key) ?? additional;
      if (check === null) {
        if (rest !== false) continue;
        holds = false;
        problems?.push({
          path: path + toStep(key),
          keyword: "additionalProperties",
          expected: false,
          rule: scope.rule,
        });
      } else {
        if (!visitsAll && !Object.hasOwn(record, key)) continue;
        holds = check(record[key], problems, problems === null ? path : path + toStep(key)) && holds;
      }
      if (!holds && problems === null) return false;
    }
    return holds;
  };
}

/** The rule a member itself carries, so that its absence is reported under it. */
function ruleOf(schema: JsonSchema, key: string): string | undefined {
  return schema.properties?.[key]?.$comment;
}

function compileAlternatives(schemas: readonly JsonSchema[], scope: Scope): Check {
  const checks = schemas.map((schema) => compile(schema, scope));
  const pick = discriminate(schemas, checks);
  return (value, problems, path) => {
    const picked = pick(value);
    if (picked !== undefined) return picked(value, problems, path);
    for (const check of checks) if (check(value, null, path)) return true;
    if (problems === null) return false;
    const [fewest] = checks
      .map((check) => {
        const found: SchemaProblem[] = [];
        check(value, found, path);
        return found;
      })
      .sort((a, b) => a.length - b.length);
    problems.push(...(fewest ?? []));
    return false;
  };
}

/** Alternatives that differ in one constant member are told apart by it, without trying each. */
function discriminate(
  schemas: readonly JsonSchema[],
  checks: readonly Check[],
): (value: unknown) => Check | undefined {
  const names = Object.keys(schemas[0]?.properties ?? {});
  const name = names.find((key) => schemas.every((schema) => schema.properties?.[key]?.const !== undefined));
  if (name === undefined) return () => undefined;
  const byConstant = new Map(
    schemas.map((schema, index) => [schema.properties?.[name]?.const, checks[index]]),
  );
  return (value) => (isRecord(value) ? byConstant.get(value[name]) : undefined);
}
