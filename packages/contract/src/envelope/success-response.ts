import { ContractError } from "../errors/contract-error.ts";
import { isRecord, type UnknownRecord } from "../json/json-value.ts";
import type { Success } from "./envelope.ts";
import { type MetaOptions, toMeta } from "./to-meta.ts";

/**
 * Builds the envelope of a success. The payload is taken by reference: neither copied nor changed.
 *
 * @example
 * successResponse({ tasks }, { pagination: { cursor: null, hasMore: false, pageSize: 2 } });
 */
export function successResponse<T extends object = UnknownRecord>(
  data?: T | null,
  options: MetaOptions = {},
): Success<T> {
  const payload: unknown = data || {};
  if (!isRecord(payload)) {
    throw new ContractError(`Cannot build the answer: data must be an object, not ${describe(payload)}`, {
      errorCode: "INTERNAL_ERROR",
      remediation: "This is a fault of the tool, not of the call: it must put its payload under a named key.",
      details: { path: "$.data" },
    });
  }
  return { success: true, data: payload as T, error: null, meta: toMeta(options) };
}

function describe(value: unknown): string {
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
