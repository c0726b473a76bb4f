import type { Envelope, Failure, UnknownRecord } from "@foundry-mcp/contract";
import {
  type RawReply,
  readCallToolResult,
  readContentBlocks,
  readProtocolError,
  toRpcError,
} from "@foundry-mcp/toolkit/client";
import { type Redactor, redactDeep } from "../../servers/redact.ts";

/** A reply converted to an envelope, and the content blocks that are sent next to the envelope. */
export interface ShapedReply {
  readonly envelope: Envelope;
  readonly blocks: readonly UnknownRecord[];
}

/** The name of the upstream that replied, and the function that masks the secrets of this upstream. */
export interface ReplySource {
  readonly upstream: string;
  readonly redact: Redactor;
}

/** Converts any reply of an upstream to an envelope. A failure names the upstream, and its secrets are masked. */
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
