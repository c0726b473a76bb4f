import { isRecord } from "@foundry-mcp/contract";
import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type DeadlineResult, withinDeadline } from "../../files/within-deadline.ts";
import { fromDraft4 } from "./from-draft-4.ts";
import { getOwn, type UntrustedSchema } from "./json-schema.ts";
import { type SchemaProblem, toSchemaProblem, toShortText } from "./schema-problem.ts";

export type { SchemaProblem } from "./schema-problem.ts";

/** A compiled schema, or the reason why the schema cannot be compiled. */
export type CompiledSchema =
  | { readonly ok: true; check(value: unknown): readonly SchemaProblem[] }
  | { readonly ok: false; readonly problem: string };

const deadlineMs = 1000;
const maxStalls = 1;
const maxProblems = 5;
const maxSchemaLength = 1_048_576;

const options: Options = {
  strict: false,
  // Validators disagree about formats, so formats are left to the server.
  validateFormats: false,
  logger: false,
  // `constructor` may be a required property. Without this option, an inherited property would satisfy the
  // requirement.
  ownProperties: true,
  // If this option were true, ajv would copy a definition for each of a thousand references.
  inlineRefs: false,
  code: { regExp: Object.assign(toRegExp, { code: "new RegExp" }) },
};

const compiled = new WeakMap<object, CompiledSchema>();
const metaValidators = new Map<AjvClass, Ajv>();

type AjvClass = new (options: Options) => Ajv;

/** Compiles an untrusted JSON Schema. Neither compilation nor a check throws, and both have a deadline. */
export function compileSchema(schema: unknown): CompiledSchema {
  if (typeof schema === "boolean") return compile(schema ? {} : { not: {} });
  if (!isRecord(schema)) return { ok: false, problem: "a schema is an object, true or false" };
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const result = compile(schema);
  compiled.set(schema, result);
  return result;
}

function compile(schema: UntrustedSchema): CompiledSchema {
  const ajvClass = ajvClassOf(getOwn(schema, "$schema"));
  // The validator is created before the deadline starts, because its creation is slow regardless of the schema.
  const metaValidator = metaValidatorOf(ajvClass);
  const done = withoutStalls((): ValidateFunction | string => {
    const text = JSON.stringify(schema);
    if (text.length > maxSchemaLength) return "the schema is longer than 1 MB";
    return toValidator(text, ajvClass, metaValidator);
  });
  if (!done.ok) return { ok: false, problem: toReason(done, "the schema takes too long to compile") };
  const validate = done.value;
  if (typeof validate === "string") return { ok: false, problem: toShortText(validate) };
  return { ok: true, check: (value) => check(validate, value) };
}

function check(validate: ValidateFunction, value: unknown): readonly SchemaProblem[] {
  const done = withoutStalls(() =>
    validate(value) === true ? [] : (validate.errors ?? []).slice(0, maxProblems).map(toSchemaProblem),
  );
  // Without this line, the errors would stay in memory as long as the schema.
  validate.errors = null;
  return done.ok ? done.value : [{ path: "$", message: toReason(done, "takes too long to check") }];
}

/**
 * Runs work with the deadline. Repeats the work if time ran out while the process got less than half of the
 * processor, because a timeout on a busy machine reveals nothing about the schema.
 */
function withoutStalls<T>(work: () => T): DeadlineResult<T> {
  for (let stalls = 0; ; stalls++) {
    const before = process.cpuUsage();
    const done = withinDeadline(deadlineMs, work);
    if (done.ok || done.reason !== "timeout" || stalls === maxStalls) return done;
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1_000 >= deadlineMs / 2) return done;
  }
}

/** Returns the validator of a schema's JSON text, or a description of the error in the schema. */
function toValidator(text: string, ajvClass: AjvClass, metaValidator: Ajv): ValidateFunction | string {
  // The text is parsed again, so that only data is compiled. `$async` is removed, because it would make the validator
  // return a promise.
  const { $schema: draft, $async: _, ...written } = JSON.parse(text) as UntrustedSchema;
  const schema = isDraft4(draft) ? fromDraft4(written) : written;
  if (metaValidator.validateSchema(schema) !== true)
    return metaValidator.errorsText(metaValidator.errors, { dataVar: "schema" });
  const make = (json: UntrustedSchema) =>
    new ajvClass({ ...options, allErrors: true, validateSchema: false })
      // ajv rejects the keyword `id` of draft 4. Later drafts ignore this keyword.
      .removeKeyword("id")
      .compile(json);
  try {
    return make(schema);
  } catch (error) {
    // ajv requires a type next to `nullable`. In JSON Schema, the keyword `nullable` has no meaning and may occur
    // anywhere.
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

/**
 * Returns the validator class for a `$schema`. The class is that for 2020-12, unless `$schema` names an older draft.
 */
function ajvClassOf(name: unknown): AjvClass {
  if (typeof name !== "string") return Ajv2020;
  if (/\/draft-0[4-7]\//.test(name)) return Ajv;
  return name.includes("/draft/2019-09/") ? Ajv2019 : Ajv2020;
}

/** Returns the validator for the meta-schema of a draft. Validators are cached, because their creation is slow. */
function metaValidatorOf(ajvClass: AjvClass): Ajv {
  const known = metaValidators.get(ajvClass);
  if (known !== undefined) return known;
  const metaValidator = new ajvClass(options);
  metaValidator.validateSchema({});
  metaValidators.set(ajvClass, metaValidator);
  return metaValidator;
}

/**
 * Compiles a pattern. If necessary, the u flag is left out, because many patterns in use are invalid with this flag.
 */
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
