import { encodeEnvelope } from "../builders/serialize-envelope.ts";
import type { Envelope } from "../envelope/envelope.ts";
import { isEnvelope } from "../envelope/envelope-schemas.ts";
import { validationError } from "../errors/validation-error.ts";
import { isWellFormedJson, isWritableJson } from "../json/is-writable-json.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import type { FitOptions, FitResult } from "./budget-options.ts";
import { fitPage } from "./fit-page.ts";
import { type Budget, countUpTo, isLongerThan, maxTokenLength } from "./measure.ts";
import { reduceEnvelope } from "./reduce-envelope.ts";

/**
 * Fits a response into a token budget, which is compared with the tokens of the serialized response. The function has
 * no side effects: it also returns the original payload, which the caller can store in an archive. If even the smallest
 * possible envelope exceeds the budget, that envelope is returned. A failure always keeps its code, type, message and
 * remediation.
 */
export function fitToBudget(envelope: Envelope<object>, options: FitOptions): FitResult {
  const { maxTokens, countTokens = estimateTokens } = options;
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 0) {
    throw validationError({
      field: "max_tokens",
      constraint: "type",
      expected: "a whole number, 0 for no budget",
      received: maxTokens,
    });
  }
  const sent = toSent(envelope);
  const whole: FitResult = { envelope: sent, fidelity: sent.meta.content_fidelity ?? "full", dropped: null };
  const budget: Budget = {
    ...options,
    countTokens,
    keysOf: new WeakMap(),
    counts: new WeakMap(),
    wholeBudget: options.reportedTokens ?? maxTokens,
  };
  if (maxTokens === 0 || countUpTo(sent, maxTokenLength, budget) !== null) return whole;
  const fitted = fitPage(sent, budget) ?? reduceEnvelope(sent, budget);
  // If the reduced response neither fits nor is shorter, the original is returned: the warning about dropped content
  // can be longer than the content itself.
  const fits = countUpTo(fitted.envelope, maxTokenLength, budget) !== null;
  return fits || isShorter(fitted.envelope, sent) ? fitted : whole;
}

/** Returns the envelope as it will be sent. If JSON cannot represent the given envelope, this is a changed copy. */
function toSent(envelope: Envelope<object>): Envelope {
  try {
    if (isEnvelope(envelope) && isWritableJson(envelope) && isWellFormedJson(envelope))
      return envelope as Envelope;
  } catch {
    // A getter of the payload threw an exception. The encoded form of the envelope is a failure that reports it.
  }
  return encodeEnvelope(envelope).envelope;
}

function isShorter(fitted: Envelope, whole: Envelope): boolean {
  const { length } = JSON.stringify(fitted);
  return isLongerThan(whole, length) || length < JSON.stringify(whole).length;
}
