import { inspect } from "node:util";
import {
  type Envelope,
  encodeEnvelope,
  type FailureContext,
  fromUnknown,
  isContractError,
  successResponse,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import { resolveRequestId } from "../context/request-id.ts";
import type { CliPlacement } from "../define/action.ts";
import { type EncodedResponse, toDialect, toDialectContext } from "../dispatch/to-dialect.ts";
import { toClientIdMeta } from "../dispatch/to-envelope.ts";
import type { Registry } from "../registry/registry.ts";
import { interruptedCode } from "./process-watch.ts";
import { UsageError } from "./usage-error.ts";

/** The output of a command line and its exit code. */
export interface Reply {
  readonly code: number;
  /** The envelope, if the reply is one. */
  readonly wire?: Pick<EncodedResponse, "envelope" | "text"> | undefined;
  /** The text on stdout in place of an envelope: help and completion. */
  readonly text?: string | undefined;
  /** Lines for stderr. */
  readonly notes?: readonly string[] | undefined;
  /** Formats the answer for people; declared by the action. */
  readonly show?: CliPlacement["show"];
  /** The text for people if the payload is empty. */
  readonly empty?: string | undefined;
  /** The commands that return the next page and the content that was left out, each with a label. */
  readonly further?: readonly (readonly [label: string, command: string])[] | undefined;
}

/** The context of a reply without a call. */
export interface ReplyContext {
  readonly registry: Registry | undefined;
  readonly requestId: string | undefined;
  /** By `performance.now()`. */
  readonly started: number;
  readonly isInterrupted: boolean;
}

/** Builds the reply to a command line that succeeds without a call. */
export function toSuccessReply(data: UnknownRecord, context: ReplyContext): Reply {
  return { code: 0, wire: toWire(successResponse(data, metaOf(context)) as Envelope, context.registry) };
}

/** Builds the reply to a command line that failed before its call, or to an exception of the program. */
export function toRefusal(thrown: unknown, context: ReplyContext): Reply {
  const envelope = fromUnknown(thrown, metaOf(context));
  const isFault = envelope.data.error_code === "INTERNAL_ERROR";
  const notes = isFault ? [describeFault(thrown)] : [];
  return { code: exitCodeOf(envelope, thrown, context), wire: toWire(envelope, context.registry), notes };
}

/** Describes an exception for the person who can fix it; for a ContractError, its cause. */
export function describeFault(thrown: unknown): string {
  try {
    const cause = isContractError(thrown) ? thrown.cause : undefined;
    return inspect(cause ?? thrown, { depth: 4, colors: false });
  } catch {
    // The thrown value may throw again when it is inspected.
    return "What was thrown cannot be shown";
  }
}

function exitCodeOf({ data }: Envelope, thrown: unknown, { isInterrupted }: ReplyContext): number {
  if (thrown instanceof UsageError) return 2;
  return isInterrupted && data["error_code"] === "CANCELLED" ? interruptedCode : 1;
}

/** Encodes an envelope in the dialect of the registry, if that exists already. */
function toWire(
  envelope: Envelope,
  registry: Registry | undefined,
): Pick<EncodedResponse, "envelope" | "text"> {
  if (registry === undefined) return encodeEnvelope(envelope);
  return toDialect(envelope, toDialectContext(registry.options));
}

function metaOf({ requestId, started }: ReplyContext): FailureContext {
  const ids = resolveRequestId(requestId);
  const durationMs = Math.round((performance.now() - started) * 1_000) / 1_000;
  return { requestId: ids.requestId, telemetry: { durationMs }, meta: toClientIdMeta(ids) };
}
