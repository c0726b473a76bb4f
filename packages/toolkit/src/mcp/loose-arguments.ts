import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";

/** Where arguments travel that the SDK would refuse before anyone could answer them. */
const looseKey = "foundry-mcp/arguments";

/**
 * Lets a `tools/call` pass whose arguments are no object: null means absent, and anything else is
 * answered with an envelope like any other mistake. The SDK would answer both with a bare text.
 */
export function loosenArguments(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(loosenArguments);
  if (!isRecord(message) || message["method"] !== "tools/call") return message;
  const { params } = message;
  if (!isRecord(params) || !Object.hasOwn(params, "arguments") || isRecord(params["arguments"]))
    return message;
  const { arguments: given, _meta: meta = {}, ...rest } = params;
  if (!isRecord(meta)) return message;
  return { ...message, params: { ...rest, _meta: { ...meta, [looseKey]: given } } };
}

/** The arguments of a call, wherever they travelled. */
export function readLooseArguments(given: unknown, meta: UnknownRecord | undefined): unknown {
  return meta !== undefined && Object.hasOwn(meta, looseKey) ? meta[looseKey] : given;
}
