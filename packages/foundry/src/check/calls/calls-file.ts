import type { UnknownRecord } from "@foundry-mcp/contract";
import { z } from "zod";
import { parseJson } from "../../files/parse-json.ts";
import { expected, toConfigError, toSchemaError } from "../../servers/config-errors.ts";
import { parseToml } from "./parse-toml.ts";

/** A JSON value that is neither an object nor an array. */
export type Scalar = string | number | boolean | null;

/** A call in the calls file, with the answer that the file expects. */
export interface ExpectedCall {
  /** A label of the call for people. */
  readonly name?: string | undefined;
  readonly tool: string;
  readonly arguments: UnknownRecord;
  /** The expected outcome of the call. If this field is omitted, any outcome is accepted. */
  readonly expect?: "success" | "failure" | undefined;
  readonly errorCode?: string | undefined;
  /** Fields that the data of the answer must contain. The data may contain other fields. */
  readonly data?: UnknownRecord | undefined;
}

/** A calls file: calls to make, and values for parameters by name. */
export interface CallsFile {
  readonly calls: readonly ExpectedCall[];
  /** True to try other arguments for a call that fails, unless the call is expected to fail. @default false */
  readonly search?: boolean | undefined;
  readonly values: ReadonlyMap<string, readonly Scalar[]>;
}

const text = z.string(expected("a text")).min(1, { error: "must not be empty" });
const object = z.record(z.string(), z.unknown(), expected("an object"));
const scalars = { error: "must be a text, a number, true, false, null, or a list of these" };
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], scalars);
/** Replaces the message of zod for a value of a wrong type. Unknown keys keep their own message. */
const wantedObject = {
  error: (issue: { readonly code: string }) =>
    issue.code === "invalid_type" ? "must be an object" : undefined,
};
const callSchema = z.strictObject(
  {
    name: text.optional(),
    tool: text,
    arguments: object.default({}),
    expect: z.enum(["success", "failure"], { error: 'must be "success" or "failure"' }).optional(),
    error_code: text.optional(),
    data: object.optional(),
  },
  wantedObject,
);
const fileSchema = z.strictObject(
  {
    search: z.boolean(expected("true or false")).optional(),
    calls: z.array(callSchema, expected("a list of calls")).optional(),
    values: z
      .record(z.string(), z.union([scalar, z.array(scalar)], scalars), expected("an object"))
      .optional(),
  },
  wantedObject,
);

/**
 * Parses a calls file as JSON or TOML. The file extension decides, or the content if the extension is
 * unknown.
 */
export function parseCalls(text: string, { file }: { readonly file: string }): CallsFile {
  const origin = `the calls file ${JSON.stringify(file)}`;
  const { success, data, error } = fileSchema.safeParse(parseText(text, file, origin));
  if (!success) {
    throw toSchemaError(origin, error.issues, (path) =>
      Object.keys(path.length === 0 ? fileSchema.shape : callSchema.shape),
    );
  }
  const { calls = [], values = {}, search } = data;
  if (data.calls === undefined && data.values === undefined) {
    const message = "calls is required if there are no values";
    throw toConfigError(origin, [{ field: "calls", constraint: "required", message }]);
  }
  const contradictions = calls.flatMap(({ expect, error_code }, index) => {
    const field = `calls[${index}].error_code`;
    const message = `${field} is given, and calls[${index}].expect is "success": only failures have a code`;
    return expect === "success" && error_code !== undefined
      ? [{ field, constraint: "conflict", message }]
      : [];
  });
  if (contradictions.length > 0) throw toConfigError(origin, contradictions);
  return {
    ...(search === undefined ? {} : { search }),
    calls: calls.map(toCall),
    values: new Map(Object.entries(values).map(([name, value]) => [name, [value].flat()])),
  };
}

function toCall({
  error_code: errorCode,
  expect,
  name,
  data,
  ...call
}: z.infer<typeof callSchema>): ExpectedCall {
  const expected = expect ?? (errorCode === undefined ? undefined : "failure");
  return {
    ...call,
    ...(name === undefined ? {} : { name }),
    ...(expected === undefined ? {} : { expect: expected }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(data === undefined ? {} : { data }),
  };
}

function parseText(text: string, file: string, origin: string): unknown {
  if (/\.json$/i.test(file)) return parseJson(text, origin);
  if (/\.toml$/i.test(file)) return parseToml(text, origin);
  // A JSON calls file begins with a brace, and a TOML file never begins with a brace.
  return /^\uFEFF?\s*\{/.test(text) ? parseJson(text, origin) : parseToml(text, origin);
}
