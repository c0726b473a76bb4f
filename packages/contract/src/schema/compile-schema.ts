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
  const check = compile(schema, { root: schema, rule: undefined, open: new Set() });
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
  /** The references that are being compiled. */
  readonly open: ReadonlySet<string>;
}

function compile(schema: JsonSchema, outer: Scope): Check {
  const scope: Scope = { ...outer, rule: schema.$comment ?? outer.rule };
  if (schema.$ref !== undefined) return compileReference(schema.$ref, scope);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) return compileAlternatives(alternatives, scope);
  if (Array.isArray(schema.type))
    return compileAlternatives(
      schema.type.map((type: string) => ({ type })),
      scope,
    );
  if (schema.type === "object") return compileObject(schema, scope);
  if (schema.type === "array") return compileArray(schema, scope);
  return compileScalar(schema, scope);
}

/** The contract's schemas are not recursive, so a reference is its target, compiled in place. */
function compileReference(reference: string, scope: Scope): Check {
  if (scope.open.has(reference))
    throw new TypeError(`Cannot compile schema: "${reference}" refers to itself`);
  return compile(resolve({ $ref: reference }, scope.root), {
    ...scope,
    open: new Set([...scope.open, reference]),
  });
}

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const target = root.$defs?.[schema.$ref.replace("#/$defs/", "")];
  if (target === undefined)
    throw new TypeError(`Cannot compile schema: "${schema.$ref}" names no definition`);
  return target;
}

function compileScalar(schema: JsonSchema, scope: Scope): Check {
  const test = toScalarTest(schema);
  return (value, problems, path) => {
    if (test(value)) return true;
    problems?.push({ path, ...blame(schema, value), rule: scope.rule });
    return false;
  };
}

/** The first keyword that does not hold by itself. */
function blame(schema: JsonSchema, value: unknown): Pick<SchemaProblem, "keyword" | "expected"> {
  const { type, ...rest } = schema;
  for (const keyword of Object.keys(rest) as (keyof typeof rest)[]) {
    const alone: JsonSchema = { ...(type === undefined ? {} : { type }), [keyword]: schema[keyword] };
    const isTyped = toScalarTest(type === undefined ? {} : { type })(value);
    if (isTyped && !toScalarTest(alone)(value)) return { keyword, expected: schema[keyword] };
  }
  return "const" in schema
    ? { keyword: "const", expected: schema.const }
    : { keyword: "type", expected: type };
}

/** One closure for all keywords of a scalar: calls between closures are what costs time here. */
function toScalarTest(schema: JsonSchema): (value: unknown) => boolean {
  const { minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity } = schema;
  if ("const" in schema) return (value) => value === schema.const;
  if (schema.enum !== undefined) return (value) => schema.enum?.includes(value) === true;
  switch (schema.type) {
    case undefined:
      return () => true;
    case "null":
      return (value) => value === null;
    case "boolean":
      return (value) => typeof value === "boolean";
    case "number":
      return (value) => typeof value === "number" && value >= minimum && value <= maximum;
    case "integer":
      return (value) =>
        Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
    case "string": {
      const pattern = schema.pattern === undefined ? null : new RegExp(schema.pattern, "u");
      return (value) =>
        typeof value === "string" &&
        (pattern === null || pattern.test(value)) &&
        (minLength === 0 || codePointLength(value) >= minLength) &&
        (value.length <= maxLength || codePointLength(value) <= maxLength);
    }
    default:
      throw new TypeError(`Cannot compile schema: unknown type "${String(schema.type)}"`);
  }
}

function compileArray({ items, maxItems = Infinity }: JsonSchema, scope: Scope): Check {
  const check = items === undefined ? null : compile(items, scope);
  return (value, problems, path) => {
    if (!Array.isArray(value))
      return fail(problems, { path, keyword: "type", expected: "array", rule: scope.rule });
    if (value.length > maxItems)
      return fail(problems, { path, keyword: "maxItems", expected: maxItems, rule: scope.rule });
    if (check === null) return true;
    let holds = true;
    for (let index = 0; index < value.length; index++) {
      if (check(value[index], problems, problems === null ? path : `${path}[${index}]`)) continue;
      if (problems === null) return false;
      holds = false;
    }
    return holds;
  };
}

function fail(problems: SchemaProblem[] | null, problem: SchemaProblem): false {
  problems?.push(problem);
  return false;
}

interface Member {
  readonly check: Check;
  readonly isRequired: boolean;
}

/**
 * Checks an object by walking the keys it has: most reserved keys are absent most of the time. In V8
 * this is three times as fast as looking every name up.
 */
function compileObject(schema: JsonSchema, scope: Scope): Check {
  const required = schema.required ?? [];
  const members = new Map<string, Member>();
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    members.set(key, { check: compile(inner, scope), isRequired: required.includes(key) });
  }
  const checkOther = compileOther(schema.additionalProperties, scope);
  const isOpen = members.size === 0 && checkOther === null;
  return (value, problems, path) => {
    if (!isRecord(value))
      return fail(problems, { path, keyword: "type", expected: "object", rule: scope.rule });
    if (isOpen) return true;
    const record: UnknownRecord = value;
    let present = 0;
    let holds = true;
    for (const key in record) {
      const member = record[key];
      // An undefined member is one that JSON leaves out.
      if (member === undefined) continue;
      const known = members.get(key);
      if (known?.isRequired === true) present += 1;
      const check = known === undefined ? checkOther : known.check;
      if (check === null || check(member, problems, problems === null ? path : path + toStep(key))) continue;
      if (problems === null) return false;
      holds = false;
    }
    if (present === required.length) return holds;
    for (const key of required) {
      if (record[key] !== undefined) continue;
      problems?.push({ path, keyword: "required", expected: key, rule: ruleOf(schema, key) ?? scope.rule });
    }
    return false;
  };
}

/** The check of members that have no name in the schema; null where all of them are allowed. */
function compileOther(rest: JsonSchema["additionalProperties"], scope: Scope): Check | null {
  if (rest === false) {
    return (_, problems, path) =>
      fail(problems, { path, keyword: "additionalProperties", expected: false, rule: scope.rule });
  }
  return rest === undefined || rest === true || Object.keys(rest).length === 0 ? null : compile(rest, scope);
}

/** The rule a member itself carries, so that its absence is reported under it. */
function ruleOf(schema: JsonSchema, key: string): string | undefined {
  return schema.properties?.[key]?.$comment;
}

function compileAlternatives(schemas: readonly JsonSchema[], scope: Scope): Check {
  const checks = schemas.map((schema) => compile(schema, scope));
  const pick = discriminate(
    schemas.map((schema) => resolve(schema, scope.root)),
    checks,
  );
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
