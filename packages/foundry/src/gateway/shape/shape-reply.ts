import type { Envelope, Failure, UnknownRecord } from "@foundry-mcp/contract";
import {
  type RawReply,
  readCallToolResult,
  readContentBlocks,
  readProtocolError,
  toRpcError,
} from "@foundry-mcp/toolkit/client";
import { type Redactor, redactDeep } from "../../servers/redact.ts";

/** The envelope of a reply, and the content blocks that are sent with it. */
export interface ShapedReply {
  readonly envelope: Envelope;
  readonly blocks: readonly UnknownRecord[];
}

/** The upstream of a reply, and the function that masks its secrets. */
export interface ReplySource {
  readonly upstream: string;
  readonly redact: Redactor;
}

/** Converts any reply of an upstream to an envelope; a failure names the upstream and contains none of its secrets. */
export function shapeReply(reply: RawReply, source: ReplySource): ShapedReply {
  if (reply.kind === "result") {
    const envelope = readCallToolResult(reply.result);
    if (envelope.success) return { envelope, blocks: readContentBlocks(reply.result) };
    return { envelope: toNamedFailure(envelope, source), blocks: [] };
  }
  const failure = reply.kind === "none" ? reply.failure : readProtocolError(toRpcError(reply));
  return { envelope: toNamedFailure(failure, source), blocks: [] };
}

function toNamedFailure(failure: Failure, { upstream, redact }: ReplySource): Failure {
  const { data, error, meta } = redactDeep(failure, redact) as Failure;
  return { success: false, data: { ...data, details: { upstream, ...data.details } }, error, meta };
}
