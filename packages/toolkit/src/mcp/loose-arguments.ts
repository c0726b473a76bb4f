import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";

/** The key in `_meta` under which arguments are stored that the SDK would refuse. */
const looseKey = "foundry-mcp/arguments";

/**
 * Moves arguments of a `tools/call` that are not an object into `_meta`, which the SDK does not validate. The
 * dispatch treats null as absent and refuses other values with an envelope; the SDK would answer with plain text.
 */
export function loosenArguments(message: unknown): unknown {
  // The elements of a batch are messages, never batches.
  return Array.isArray(message) ? message.map(loosenOne) : loosenOne(message);
}

function loosenOne(message: unknown): unknown {
  if (!isRecord(message) || message["method"] !== "tools/call") return message;
  const { params } = message;
  if (!isRecord(params) || !Object.hasOwn(params, "arguments") || isRecord(params["arguments"]))
    return message;
  const { arguments: given, _meta: meta = {}, ...rest } = params;
  if (!isRecord(meta)) return message;
  return { ...message, params: { ...rest, _meta: { ...meta, [looseKey]: given } } };
}

/** Returns the arguments of a call; reads them from `_meta` if they were moved there. */
export function readLooseArguments(given: unknown, meta: UnknownRecord | undefined): unknown {
  return meta !== undefined && Object.hasOwn(meta, looseKey) ? meta[looseKey] : given;
}
