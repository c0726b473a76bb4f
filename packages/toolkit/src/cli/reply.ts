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
import { interrupted } from "./process-watch.ts";
import { UsageError } from "./usage-error.ts";

/** What a program says in the end, and the code that it ends with. */
export interface Reply {
  readonly code: number;
  /** The answer; text that is none stands in `text`. */
  readonly wire?: Pick<EncodedResponse, "envelope" | "text"> | undefined;
  /** What stands on stdout in place of an envelope: help and completion. */
  readonly text?: string | undefined;
  /** For stderr: what the person at the terminal should know besides. */
  readonly notes?: readonly string[] | undefined;
  /** How the action shows its answer to people. */
  readonly show?: CliPlacement["show"];
  /** What people are told where the payload is empty. */
  readonly empty?: string | undefined;
  /** The commands that give what the answer does not hold, each with its name: the next page, the rest. */
  readonly further?: readonly (readonly [name: string, command: string])[] | undefined;
}

/** What is known of a command line that reaches no tool. */
export interface ReplyContext {
  readonly registry: Registry | undefined;
  readonly requestId: string | undefined;
  /** By `performance.now()`. */
  readonly started: number;
  readonly isInterrupted: boolean;
}

/** The reply to a command line that calls no tool and yet has an answer. */
export function toOwnReply(data: UnknownRecord, context: ReplyContext): Reply {
  return { code: 0, wire: toWire(successResponse(data, metaOf(context)) as Envelope, context.registry) };
}

/** The reply to a command line that failed before its call, or to a program that broke. */
export function toRefusal(thrown: unknown, context: ReplyContext): Reply {
  const envelope = fromUnknown(thrown, metaOf(context));
  const isFault = envelope.data.error_code === "INTERNAL_ERROR";
  const notes = isFault ? [describeFault(thrown)] : [];
  return { code: exitCodeOf(envelope, thrown, context), wire: toWire(envelope, context.registry), notes };
}

/** What was thrown, for the person who can mend it; a ContractError tells its cause. */
export function describeFault(thrown: unknown): string {
  try {
    const cause = isContractError(thrown) ? thrown.cause : undefined;
    return inspect(cause ?? thrown, { depth: 4, colors: false });
  } catch {
    // What was thrown may throw again when it is looked into.
    return "What was thrown cannot be shown";
  }
}

function exitCodeOf({ data }: Envelope, thrown: unknown, { isInterrupted }: ReplyContext): number {
  if (thrown instanceof UsageError) return 2;
  return isInterrupted && data["error_code"] === "CANCELLED" ? interrupted : 1;
}

/** In the form that the registry's answers have, as soon as it is known. */
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
