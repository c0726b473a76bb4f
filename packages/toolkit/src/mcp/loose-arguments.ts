import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";

/** The key in `_meta` that carries arguments which the SDK would refuse. */
const looseKey = "foundry-mcp/arguments";

/**
 * Moves arguments of a `tools/call` that are no object into `_meta`, past the SDK's validation: null means
 * absent, and anything else is then answered with an envelope. The SDK would answer both with plain text.
 */
export function loosenArguments(message: unknown): unknown {
  // A batch holds messages, and no batches.
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

/** Returns the arguments of a call, from `_meta` where they were moved there. */
export function readLooseArguments(given: unknown, meta: UnknownRecord | undefined): unknown {
  return meta !== undefined && Object.hasOwn(meta, looseKey) ? meta[looseKey] : given;
}
