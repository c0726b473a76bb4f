import { encodeEnvelope } from "../builders/serialize-envelope.ts";
import type { Envelope } from "../envelope/envelope.ts";
import { isEnvelope } from "../envelope/envelope-schemas.ts";
import { validationError } from "../errors/validation-error.ts";
import { isWellFormedJson, isWritableJson } from "../json/is-writable-json.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import type { FitOptions, FitResult } from "./budget-options.ts";
import { fitPage } from "./fit-page.ts";
import { type Budget, countUpTo, isLongerThan, longestToken } from "./measure.ts";
import { reduceEnvelope } from "./reduce-envelope.ts";

/**
 * Fits an answer into a token budget, measured on the final text. Pure: the original payload is handed
 * back for the archive, storing it is the caller's affair. Below the smallest possible envelope that
 * one is returned. A failure always keeps code, type, message and remediation.
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
    wholeBudget: options.toldTokens ?? maxTokens,
  };
  if (maxTokens === 0 || countUpTo(sent, longestToken, budget) !== null) return whole;
  const fitted = fitPage(sent, budget) ?? reduceEnvelope(sent, budget);
  // Where nothing fits, the notice of what is missing can be longer than what is.
  const isFit = countUpTo(fitted.envelope, longestToken, budget) !== null;
  return isFit || isShorter(fitted.envelope, sent) ? fitted : whole;
}

/** What will be sent: the envelope itself, or what becomes of one that JSON cannot hold as it is. */
function toSent(envelope: Envelope<object>): Envelope {
  try {
    if (isEnvelope(envelope) && isWritableJson(envelope) && isWellFormedJson(envelope))
      return envelope as Envelope;
  } catch {
    // A getter threw: what is sent says so.
  }
  return encodeEnvelope(envelope).envelope;
}

function isShorter(fitted: Envelope, whole: Envelope): boolean {
  const { length } = JSON.stringify(fitted);
  return isLongerThan(whole, length) || length < JSON.stringify(whole).length;
}
