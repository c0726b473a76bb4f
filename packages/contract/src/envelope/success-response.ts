import { isRecord, type UnknownRecord } from "../json/json-value.ts";
import type { Success } from "./envelope.ts";
import { refuse } from "./refuse.ts";
import { type MetaOptions, toMeta } from "./to-meta.ts";

/**
 * Builds the envelope of a success. The payload is taken by reference: neither copied nor changed.
 *
 * @example
 * successResponse({ tasks }, { pagination: { cursor: null, hasMore: false, pageSize: 2 } });
 */
export function successResponse<T extends object = UnknownRecord>(
  data?: (T & (T extends readonly unknown[] ? never : unknown)) | null,
  options: MetaOptions = {},
): Success<T> {
  const payload: unknown = data || {};
  if (!isRecord(payload)) refuse("$.data", "must be an object; put other payloads under a named key");
  return { success: true, data: payload as T, error: null, meta: toMeta(options) };
}
