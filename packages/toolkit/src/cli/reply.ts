import { inspect } from "node:util";
import {
  type DescribeRemedy,
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
import { suggestedCommand } from "./suggested-command.ts";
import { UsageError } from "./usage-error.ts";

/** The output of a command line and its exit code. */
export interface Reply {
  readonly code: number;
  /** The envelope, if the reply has one. */
  readonly wire?: WireReply | undefined;
  /** The text for stdout instead of an envelope: help, completion or the home page. */
  readonly text?: string | undefined;
  /** Lines for stderr. */
  readonly notes?: readonly string[] | undefined;
  /** The action's function that formats the answer for people. */
  readonly show?: CliPlacement["show"];
  /** The text shown to people if the payload is empty. */
  readonly empty?: string | undefined;
  /** The commands that return the next page and the content that was left out; each command has a label. */
  readonly further?: readonly (readonly [label: string, command: string])[] | undefined;
  /** The text shown to people below the answer. */
  readonly below?: string | undefined;
  /** Formats calls as commands of this program; if absent, remedies that are calls are not shown as commands. */
  readonly describeRemedy?: DescribeRemedy | undefined;
}

/** An envelope in its printed form. */
export interface WireReply extends Pick<EncodedResponse, "envelope" | "text"> {
  /**
   * The envelope as JSON. The human format is created from it, because the JSON may differ from the objects of a
   * handler.
   */
  readonly json?: string | undefined;
}

/** The context of a reply without a call. */
export interface ReplyContext {
  readonly registry: Registry | undefined;
  readonly requestId: string | undefined;
  /** The start time by `performance.now()`. */
  readonly started: number;
  readonly isInterrupted: boolean;
  /** Formats calls as commands; undefined until the program is known. */
  readonly describeRemedy?: DescribeRemedy | undefined;
}

/** Builds the reply to a command line that succeeds without calling a tool. */
export function toSuccessReply(data: UnknownRecord, context: ReplyContext): Reply {
  return { code: 0, wire: toWire(successResponse(data, metaOf(context)) as Envelope, context.registry) };
}

/** Builds the reply to a command line that failed before its call, or to an exception of the program. */
export function toRefusal(thrown: unknown, context: ReplyContext): Reply {
  const envelope = fromUnknown(thrown, metaOf(context));
  const isFault = envelope.data.error_code === "INTERNAL_ERROR";
  const notes = isFault ? [describeFault(thrown)] : [];
  const { registry, describeRemedy } = context;
  const command = suggestedCommand(thrown, String(envelope.data["remediation"] ?? ""));
  return {
    code: exitCodeOf(envelope, thrown, context),
    wire: toWire(envelope, registry),
    notes,
    further: command === undefined ? [] : [["try", command]],
    describeRemedy,
  };
}

/** Describes an exception for the person who can fix the error; for a ContractError, describes its cause. */
export function describeFault(thrown: unknown): string {
  try {
    const cause = isContractError(thrown) ? thrown.cause : undefined;
    return inspect(cause ?? thrown, { depth: 4, colors: false });
  } catch {
    // The thrown value may throw again when it is inspected.
    return "The thrown value cannot be printed";
  }
}

function exitCodeOf({ data }: Envelope, thrown: unknown, { isInterrupted }: ReplyContext): number {
  if (thrown instanceof UsageError) return 2;
  return isInterrupted && data["error_code"] === "CANCELLED" ? interruptedCode : 1;
}

/** Encodes an envelope in the dialect of the registry, if the registry has been created. */
function toWire(
  envelope: Envelope,
  registry: Registry | undefined,
): Pick<EncodedResponse, "envelope" | "text"> {
  if (registry === undefined) return encodeEnvelope(envelope);
  return toDialect(envelope, toDialectContext(registry.options));
}

function metaOf({ requestId, started, describeRemedy }: ReplyContext): FailureContext {
  const ids = resolveRequestId(requestId);
  const durationMs = Math.round((performance.now() - started) * 1_000) / 1_000;
  return { requestId: ids.requestId, telemetry: { durationMs }, meta: toClientIdMeta(ids), describeRemedy };
}
