import type { Envelope, Failure } from "../envelope/envelope.ts";
import { errorResponse } from "../envelope/error-response.ts";
import type { UnknownRecord } from "../json/json-value.ts";
import { envelopeV1Validator, envelopeValidator } from "../schema/validators.ts";
import { detectDialect } from "./detect-dialect.ts";
import type { EnvelopeV1 } from "./envelope-v1.ts";
import { fromEnvelopeV1 } from "./from-envelope-v1.ts";
import { fromResponseV1 } from "./from-response-v1.ts";
import { repairEnvelope } from "./repair-envelope.ts";
import { repairEnvelopeV1 } from "./repair-envelope-v1.ts";

/**
 * Reads an answer of any dialect, as a value or as JSON text, and always returns response-v2. What is
 * no envelope becomes a failure INVALID_FORMAT; never throws.
 *
 * @example
 * const envelope = readEnvelope(result.structuredContent);
 * if (envelope.success) use(envelope.data);
 */
export function readEnvelope(json: unknown): Envelope {
  try {
    const value: unknown = typeof json === "string" ? JSON.parse(json) : json;
    const read = readDialect(value);
    // What a repair could not mend is told, not passed on.
    return envelopeValidator().is(read) ? read : notAnEnvelope(problemsOf(read));
  } catch {
    return notAnEnvelope(["it cannot be read as JSON"]);
  }
}

function readDialect(value: unknown): Envelope {
  switch (detectDialect(value)) {
    case "response-v2":
      return repairEnvelope(value as UnknownRecord);
    case "envelope-v1": {
      const given = envelopeV1Validator().is(value) ? value : repairEnvelopeV1(value as UnknownRecord);
      return fromEnvelopeV1(given as EnvelopeV1);
    }
    case "response-v1":
      return fromResponseV1(value as UnknownRecord);
    case null:
      return notAnEnvelope(["it has the marks of none of the dialects"]);
  }
}

function problemsOf(value: unknown): string[] {
  return envelopeValidator()
    .problems(value)
    .slice(0, 10)
    .map(({ path, keyword, expected }) => `${path}: ${keyword} ${JSON.stringify(expected)}`);
}

function notAnEnvelope(reasons: readonly string[]): Failure {
  return errorResponse(`The answer is no envelope: ${reasons.join("; ")}`, {
    errorCode: "INVALID_FORMAT",
    remediation: "Check that the server speaks response-v2, envelope-v1 or response-v1.",
    details: { field: "$", constraint: "envelope", errors: reasons },
  });
}
