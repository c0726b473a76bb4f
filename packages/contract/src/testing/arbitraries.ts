import fc from "fast-check";
import type { EnvelopeV1 } from "../dialects/envelope-v1.ts";
import {
  type Envelope,
  type Failure,
  fidelityLevels,
  type Meta,
  type Success,
} from "../envelope/envelope.ts";
import { severities, warningCatalogue } from "../envelope/warnings.ts";
import { errorCatalogue } from "../errors/error-catalogue.ts";
import { envelopeV1Codes, tiers } from "../errors/error-types.ts";
import type { UnknownRecord } from "../json/json-value.ts";

/** Any value that a tool may return, including values that JSON cannot represent. */
export const anyValue = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withBoxedValues: true,
  withNullPrototype: true,
  withObjectString: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
});

const hostileKeys = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "_response_v2",
  "_meta",
  "success",
  "error",
  "payload",
  "data",
  "",
];

/** Any key of a payload, including names of prototype members. */
export const anyKey = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom(...hostileKeys) },
);

const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.toWellFormed()),
);

const tree = fc.letrec<{ value: unknown; object: UnknownRecord }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 5 }),
    tie("object"),
  ),
  object: fc
    .array(fc.tuple(anyKey, tie("value")), { maxLength: 6 })
    .map((entries) => Object.fromEntries(entries) as UnknownRecord),
}));

/** Any JSON value. */
export const jsonValue = tree.value;

/** Any JSON object. */
export const jsonObject = tree.object;

const count = fc.nat({ max: 1_000_000 });
const duration = fc.oneof(
  fc.nat({ max: 100_000 }),
  fc.nat({ max: 1_000_000 }).map((micros) => micros / 1_000),
);
const message = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 30 })
  .filter((text) => text.trim() !== "");
const moment = fc
  .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
  .map((date) => date.toISOString());

const warningDetail = fc.record(
  {
    message: fc.string({ maxLength: 20 }),
    code: fc.oneof(fc.constantFrom(...Object.keys(warningCatalogue)), fc.string({ maxLength: 8 })),
    severity: fc.constantFrom(...severities),
    context: fc.oneof(
      jsonObject,
      fc.record({ feature: fc.string({ maxLength: 8 }), tier: fc.constantFrom(...tiers) }),
    ),
  },
  { requiredKeys: ["message"] },
);

const metaExtras = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: jsonObject },
  {
    weight: 1,
    arbitrary: fc.record({
      envelope_v1: fc.oneof(
        jsonValue,
        fc.record({ tier: fc.constantFrom(...tiers), restore: jsonObject }),
        fc.record({ data_shape: fc.constantFrom("null", "wrapped") }),
      ),
    }),
  },
);

/** Any valid `meta`. */
export const anyMeta: fc.Arbitrary<Meta> = fc
  .tuple(
    fc.record(
      {
        version: fc.constant("response-v2" as const),
        request_id: fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/),
        warnings: fc.array(fc.string({ maxLength: 10 }), { maxLength: 3 }),
        warning_details: fc.array(warningDetail, { maxLength: 3 }),
        pagination: fc.record(
          {
            cursor: fc.oneof(fc.constant(null), fc.string()),
            has_more: fc.boolean(),
            total_count: count,
            page_size: count,
          },
          { requiredKeys: ["cursor", "has_more", "page_size"] },
        ),
        rate_limit: fc.record(
          { limit: count, remaining: count, reset_at: moment, retry_after: count },
          { requiredKeys: ["limit", "remaining", "reset_at"] },
        ),
        telemetry: fc.record({ duration_ms: duration, db_queries: count }, { requiredKeys: [] }),
        content_fidelity_schema_version: fc.constant("1.0"),
        content_fidelity: fc.constantFrom(...fidelityLevels),
        dropped_content_ids: fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 }),
        content_archive_hashes: fc.dictionary(
          fc.stringMatching(/^[a-z]{1,5}$/),
          fc.stringMatching(/^sha256:[a-f0-9]{4}$/),
          { maxKeys: 2 },
        ),
      },
      { requiredKeys: ["version"] },
    ),
    metaExtras,
  )
  .map(([reserved, extras]) => JSON.parse(JSON.stringify({ ...extras, ...reserved })) as Meta);

const anySuccess: fc.Arbitrary<Success> = fc
  .record({ data: jsonObject, meta: anyMeta })
  .map(({ data, meta }) => ({ success: true, data, error: null, meta }));

const anyFailure: fc.Arbitrary<Failure> = fc
  .record({
    fields: fc.record(
      {
        error_code: fc.oneof(
          fc.constantFrom(...Object.keys(errorCatalogue)),
          fc.stringMatching(/^[A-Z][A-Z_]{1,10}$/),
        ),
        error_type: fc.oneof(fc.constantFrom("validation", "not_found", "internal", "conflict"), message),
        remediation: fc.oneof(
          fc.string({ maxLength: 20 }),
          fc.constant(errorCatalogue.NOT_FOUND.remediation),
        ),
        details: jsonObject,
        retry_after_seconds: count,
        payload: jsonValue,
      },
      { requiredKeys: [] },
    ),
    more: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: jsonObject }),
    error: message,
    meta: anyMeta,
  })
  .map(({ fields, more, error, meta }) => ({
    success: false,
    data: JSON.parse(JSON.stringify({ ...more, ...fields })),
    error,
    meta,
  }))
  .filter(
    ({ data }) =>
      data.details === undefined ||
      (typeof data.details === "object" && data.details !== null && !Array.isArray(data.details)),
  )
  .filter(({ data }) =>
    ["error_code", "error_type"].every(
      (key) => data[key] === undefined || (typeof data[key] === "string" && data[key] !== ""),
    ),
  )
  .filter(
    ({ data }) => data["remediation"] === undefined || typeof data["remediation"] === "string",
  ) as fc.Arbitrary<Failure>;

/** Any valid response-v2 envelope. */
export const anyEnvelope: fc.Arbitrary<Envelope> = fc.oneof(anySuccess, anyFailure);

/** Any valid envelope-v1, with keys that later versions added. */
export const anyEnvelopeV1: fc.Arbitrary<EnvelopeV1> = fc
  .record(
    {
      tier: fc.constantFrom(...tiers),
      tool_version: fc.oneof(fc.constant("3.2.8"), fc.string({ maxLength: 8 })),
      tool_id: fc.string({ maxLength: 12 }),
      request_id: fc.oneof(fc.stringMatching(/^[a-f0-9]{32}$/), fc.string({ maxLength: 12 })),
      capabilities: fc.oneof(
        fc.constant(["envelope-v1"]),
        fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 }),
      ),
      duration_ms: fc.oneof(
        fc.nat(),
        fc.constant(null),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      ),
      error: fc.oneof(
        fc.constant(null),
        fc.record({
          error: fc.oneof(message, fc.constant("")),
          error_code: fc.oneof(fc.constantFrom(...envelopeV1Codes), fc.string({ maxLength: 10 })),
          error_details: fc.oneof(
            fc.constant(null),
            fc.constant({}),
            jsonObject,
            fc.record({ hint: fc.string() }),
            fc.record(
              {
                remediation: jsonValue,
                source_error_code: jsonValue,
                error_type: jsonValue,
                data: jsonValue,
              },
              { requiredKeys: [] },
            ),
          ),
        }),
      ),
      upgrade_hints: fc.array(
        fc.record({
          feature: fc.string({ maxLength: 8 }),
          tier: fc.string({ maxLength: 8 }),
          reason: fc.string({ maxLength: 12 }),
        }),
        { maxLength: 3 },
      ),
      data: fc.oneof(
        jsonObject,
        jsonValue,
        fc.record(
          { success: fc.boolean(), error: fc.oneof(fc.string({ maxLength: 10 }), fc.constant(null)) },
          { requiredKeys: [] },
        ),
      ),
      warnings: fc.array(fc.string({ maxLength: 6 }), { maxLength: 2 }),
    },
    {
      requiredKeys: [
        "tier",
        "tool_version",
        "tool_id",
        "request_id",
        "capabilities",
        "duration_ms",
        "error",
        "upgrade_hints",
        "data",
      ],
    },
  )
  .map((envelope) => JSON.parse(JSON.stringify(envelope)) as EnvelopeV1);
