import { errorResponse } from "../builders/responses.ts";
import type { Envelope } from "../envelope/envelope.ts";
import { envelopeValidator } from "../envelope/envelope-schemas.ts";
import { isTooDeep } from "../json/json-depth.ts";
import { isSameJson, type UnknownRecord } from "../json/json-value.ts";
import { JsonDepthError, parseJsonText } from "../json/parse-json-text.ts";
import { fromEnvelopeV1 } from "./convert-envelope-v1.ts";
import { detectDialect } from "./detect-dialect.ts";
import { envelopeV1Validator } from "./dialect-schemas.ts";
import type { EnvelopeV1 } from "./envelope-v1.ts";
import { keepNonconforming, repairEnvelope, repairEnvelopeV1 } from "./repair-envelope.ts";
import { fromResponseV1 } from "./response-v1.ts";

/**
 * Reads a response of any dialect, as a value or as JSON text, and always returns response-v2. Returns the failure
 * INVALID_FORMAT for a value that is not an envelope; never throws.
 *
 * @example
 * const envelope = readEnvelope(result.structuredContent);
 * if (envelope.success) use(envelope.data);
 */
export function readEnvelope(json: unknown): Envelope {
  let reason = "it cannot be read as JSON";
  try {
    const value = typeof json === "string" ? parseJsonText(json) : json;
    if (value === json && isTooDeep(value)) throw new JsonDepthError();
    const read = readDialect(value);
    // If the value could not be repaired, the failure below is returned.
    if (envelopeValidator.is(read)) return read as Envelope;
    const [problem] = envelopeValidator.problems(read);
    reason =
      read === null ? "it has the marks of none of the dialects" : `${problem?.path}: ${problem?.message}`;
  } catch (thrown) {
    // Only the message of a JsonDepthError is repeated. The message of the JSON parser quotes the text, which may
    // contain secrets.
    if (thrown instanceof JsonDepthError) reason = thrown.message.toLowerCase();
  }
  return errorResponse(`The answer is no envelope: ${reason}`, {
    errorCode: "INVALID_FORMAT",
    remediation: "Check that the server speaks response-v2, envelope-v1 or response-v1.",
  });
}

/** Converts an invalid envelope-v1 to response-v2. Fields that cannot be read are kept in `meta.nonconforming`. */
function readInvalidV1(given: UnknownRecord): Envelope {
  const repaired = repairEnvelopeV1(given);
  const envelope = fromEnvelopeV1(repaired);
  const changed = Object.entries(given).filter(
    ([key, value]) => value !== null && !isSameJson(value, (repaired as unknown as UnknownRecord)[key]),
  );
  return { ...envelope, meta: keepNonconforming(envelope.meta, Object.fromEntries(changed)) } as Envelope;
}

function readDialect(value: unknown): Envelope | null {
  switch (detectDialect(value)) {
    case "response-v2":
      return repairEnvelope(value as UnknownRecord);
    case "envelope-v1":
      return envelopeV1Validator.is(value)
        ? fromEnvelopeV1(value as EnvelopeV1)
        : readInvalidV1(value as UnknownRecord);
    case "response-v1":
      return fromResponseV1(value as UnknownRecord);
    case null:
      return null;
  }
}
