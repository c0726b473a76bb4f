import { isRecord } from "@foundry-mcp/contract";
import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type DeadlineResult, withinDeadline } from "../../files/within-deadline.ts";
import { fromDraft4 } from "./from-draft-4.ts";
import { getOwn, type UntrustedSchema } from "./json-schema.ts";
import { type SchemaProblem, toSchemaProblem, toShortText } from "./schema-problem.ts";

export type { SchemaProblem } from "./schema-problem.ts";

/** A schema that values can be held to, or why it is none. */
export type CompiledSchema =
  | { readonly ok: true; check(value: unknown): readonly SchemaProblem[] }
  | { readonly ok: false; readonly problem: string };

const deadlineMs = 1000;
const mostProblems = 5;
const longestSchema = 1_048_576;

const options: Options = {
  strict: false,
  // Validators differ in what they make of formats; a server keeps to its own.
  validateFormats: false,
  logger: false,
  // What an object merely inherits is not there: `constructor` may be a required property.
  ownProperties: true,
  // A definition that is used a thousand times would be written out a thousand times.
  inlineRefs: false,
  code: { regExp: Object.assign(toRegExp, { code: "new RegExp" }) },
};

const compiled = new WeakMap<object, CompiledSchema>();
const judges = new Map<Dialect, Ajv>();

type Dialect = new (options: Options) => Ajv;

/** Makes a check of a JSON Schema of any origin: it never throws, and both it and the check come to an end. */
export function compileSchema(schema: unknown): CompiledSchema {
  if (typeof schema === "boolean") return compile(schema ? {} : { not: {} });
  if (!isRecord(schema)) return { ok: false, problem: "a schema is an object, true or false" };
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made = compile(schema);
  compiled.set(schema, made);
  return made;
}

function compile(schema: UntrustedSchema): CompiledSchema {
  const dialect = dialectOf(getOwn(schema, "$schema"));
  // Made before the clock starts: it takes long, and it is not the schema's fault.
  const judge = judgeOf(dialect);
  const done = withinDeadline(deadlineMs, (): ValidateFunction | string => {
    const text = JSON.stringify(schema);
    if (text.length > longestSchema) return "the schema is longer than 1 MB";
    return toValidator(text, dialect, judge);
  });
  if (!done.ok) return { ok: false, problem: toReason(done, "the schema takes too long to compile") };
  const validate = done.value;
  if (typeof validate === "string") return { ok: false, problem: toShortText(validate) };
  return { ok: true, check: (value) => check(validate, value) };
}

function check(validate: ValidateFunction, value: unknown): readonly SchemaProblem[] {
  const done = withinDeadline(deadlineMs, () =>
    validate(value) === true ? [] : (validate.errors ?? []).slice(0, mostProblems).map(toSchemaProblem),
  );
  // They would live as long as the schema otherwise.
  validate.errors = null;
  return done.ok ? done.value : [{ path: "$", message: toReason(done, "takes too long to check") }];
}

/** The validator of a schema's JSON text, or what is wrong with the schema. */
function toValidator(text: string, dialect: Dialect, judge: Ajv): ValidateFunction | string {
  // The text is read anew, so that nothing but data is compiled. An async schema would answer with a promise.
  const { $schema: draft, $async: _, ...written } = JSON.parse(text) as UntrustedSchema;
  const schema = isDraft4(draft) ? fromDraft4(written) : written;
  if (judge.validateSchema(schema) !== true) return judge.errorsText(judge.errors, { dataVar: "schema" });
  const make = (json: UntrustedSchema) =>
    new dialect({ ...options, allErrors: true, validateSchema: false })
      // A word of draft 4 that ajv stumbles over; since then it means nothing.
      .removeKeyword("id")
      .compile(json);
  try {
    return make(schema);
  } catch (error) {
    // `nullable` is no word of JSON Schema, so it may stand anywhere; ajv wants a type beside it.
    if (!String(getMessage(error)).includes("nullable")) throw error;
    return make(JSON.parse(JSON.stringify(schema), withoutNullable) as UntrustedSchema);
  }
}

function withoutNullable(key: string, value: unknown): unknown {
  return key === "nullable" && typeof value === "boolean" ? undefined : value;
}

function isDraft4(name: unknown): boolean {
  return typeof name === "string" && name.includes("/draft-04/");
}

/** 2020-12 unless the schema names an older draft. */
function dialectOf(name: unknown): Dialect {
  if (typeof name !== "string") return Ajv2020;
  if (/\/draft-0[4-7]\//.test(name)) return Ajv;
  return name.includes("/draft/2019-09/") ? Ajv2019 : Ajv2020;
}

/** Holds schemas to the schema of schemas. It takes a while to make, so there is one for each draft. */
function judgeOf(dialect: Dialect): Ajv {
  const known = judges.get(dialect);
  if (known !== undefined) return known;
  const judge = new dialect(options);
  judge.validateSchema({});
  judges.set(dialect, judge);
  return judge;
}

/** Many patterns in the wild are no regular expressions by the strict reading that JSON Schema recommends. */
function toRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}

function toReason(done: DeadlineResult<unknown> & { readonly ok: false }, timeout: string): string {
  if (done.reason === "timeout") return timeout;
  return done.error instanceof RangeError
    ? "the schema is too deep or refers to itself without end"
    : toShortText(`the schema cannot be used: ${String(getMessage(done.error))}`);
}

function getMessage(error: unknown): unknown {
  return error instanceof Error ? error.message : getOwn(error, "message");
}
