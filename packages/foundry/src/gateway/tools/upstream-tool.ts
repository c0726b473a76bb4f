import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type Context,
  cannotAsk,
  capabilityOf,
  defineTool,
  InputRequired,
  type Tool,
  withJsonSchema,
} from "@foundry-mcp/toolkit";
import { type QuestionReceiver, type RawReply, retry } from "@foundry-mcp/toolkit/client";
import { ProtocolRefusal } from "@foundry-mcp/toolkit/mcp";
import { type Redactor, redactDeep } from "../../servers/redact.ts";
import type { ToolChoice } from "../config/tool-choice.ts";
import { observeCall, observeReply } from "../observe/observation.ts";
import type { AnswerPager } from "../shape/page-answer.ts";
import { type ShapedReply, shapeReply } from "../shape/shape-reply.ts";
import { AskingCall } from "../upstream/asking-call.ts";
import type { UpstreamTool } from "../upstream/definitions.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { anyArguments } from "./any-arguments.ts";
import { type OpenQuestions, toProgress } from "./open-questions.ts";

/** The page limit without a `limit`: the whole list, which only the token budget shortens. */
const maxPerPage = 1_000_000_000;
/** The part of a call's time limit that is added for the upstream, so that the gateway's own limit ends first. */
const graceMs = 1_000;

/** The parts of an upstream that its tools need. */
export type CalledUpstream = Pick<
  Upstream,
  "name" | "limits" | "redact" | "callTool" | "relaysQuestions" | "returnsQuestions"
>;

/** What a tool of an upstream needs. */
export interface UpstreamToolDeps {
  readonly upstream: CalledUpstream;
  readonly pager: AnswerPager;
  readonly questions: OpenQuestions;
  /** True if the definition is not the approved one any more, which each answer tells. */
  readonly hasChanged?: boolean;
}

/** Declares a tool of an upstream under its name in the gateway. */
export function createUpstreamTool(
  name: string,
  definition: UpstreamTool,
  choice: ToolChoice,
  deps: UpstreamToolDeps,
): Tool {
  const { title, description, inputSchema, outputSchema, annotations, meta } = definition;
  const timeoutMs = choice.timeout === undefined ? deps.upstream.limits.timeoutMs : choice.timeout * 1_000;
  const readOnly = annotations["readOnlyHint"] === true;
  const isPaged = choice.isShaped && !hasProperty(inputSchema, "cursor");
  return defineTool({
    name,
    version: "1.0.0",
    description,
    title,
    input: withJsonSchema(anyArguments, inputSchema),
    isForeign: true,
    readOnly,
    idempotent: readOnly || annotations["idempotentHint"] === true,
    destructive: annotations["destructiveHint"] === true,
    openWorld: annotations["openWorldHint"] === true,
    timeoutMs,
    maxTokens: choice.max_tokens,
    dialect: choice.dialect,
    meta,
    listedAs: {
      annotations,
      ...(choice.isShaped ? {} : { inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }) }),
    },
    // The gateway waits for the task of the server, so a client that knows no tasks can call the tool too.
    ...(definition.taskSupport === undefined ? {} : { task: "optional" as const }),
    ...(isPaged ? { page: { default: maxPerPage, max: maxPerPage } } : {}),
    ...(choice.isShaped ? {} : { raw: true }),
    run: async (input, context) => {
      const args = input as UnknownRecord;
      const call = { definition, args, timeoutMs };
      if (deps.hasChanged === true)
        context.warn(`The definition of ${name} has changed since it was approved; see gateway approve`);
      if (!choice.isShaped) return (await callRaw(call, deps, context)) as never;
      const cursor = isPaged ? context.page.cursor : undefined;
      if (cursor !== undefined) return (await deps.pager.next(cursor, args, context)) as never;
      const { envelope, blocks } = await callShaped(call, deps, context);
      for (const block of blocks) context.attach({ type: "block", block });
      if (!envelope.success || !isPaged || isRecordOf(envelope.meta.pagination)) return envelope as never;
      const data = await deps.pager.first(
        envelope.data as UnknownRecord,
        args,
        context,
        blocks.length > 0 ? "content" : undefined,
      );
      return { ...envelope, data } as never;
    },
  });
}

interface UpstreamCall {
  readonly definition: UpstreamTool;
  readonly args: UnknownRecord;
  readonly timeoutMs: number;
}

/** Calls the upstream; a call of an idempotent tool that got no answer is repeated. */
async function callShaped(
  call: UpstreamCall,
  deps: UpstreamToolDeps,
  context: Context,
): Promise<ShapedReply> {
  const { upstream } = deps;
  const { annotations } = call.definition;
  const isIdempotent = annotations["readOnlyHint"] === true || annotations["idempotentHint"] === true;
  const source = { upstream: upstream.name, redact: upstream.redact };
  let reply = await send(call, deps, context);
  let shaped = shapeReply(reply, source);
  if (!isIdempotent || reply.kind !== "none") return shaped;
  const repeat = async (attempt: number) => {
    if (attempt > 1) {
      reply = await send(call, deps, context);
      shaped = shapeReply(reply, source);
    }
    return shaped.envelope;
  };
  await retry(repeat, {
    idempotent: true,
    signal: context.signal,
    maxDelayMs: 2_000,
    when: () => reply.kind === "none",
  });
  return shaped;
}

/** Returns the upstream's own result, or a result of the same form for a call without a result. */
async function callRaw(call: UpstreamCall, deps: UpstreamToolDeps, context: Context): Promise<unknown> {
  const { upstream } = deps;
  const reply = await send(call, deps, context);
  if (reply.kind === "result") return reply.result;
  const { envelope } = shapeReply(reply, { upstream: upstream.name, redact: upstream.redact });
  // Without structured content, because clients check it against the tool's own output schema.
  return { content: [{ type: "text", text: JSON.stringify(envelope) }], isError: true };
}

async function send(
  { definition, args, timeoutMs }: UpstreamCall,
  { upstream, questions }: Pick<UpstreamToolDeps, "upstream" | "questions">,
  context: Context,
): Promise<RawReply> {
  const { signal, requestId } = context;
  const toOwner = () => JSON.stringify([context.principal, context.tool, args]);
  const resumed = questions.resume(toOwner, context);
  context.ifEnded({
    message: `The call ended before the server ${upstream.name} answered`,
    remediation: "Check whether the work was done; repeat the call only if the work may be done twice.",
    details: { upstream: upstream.name, may_have_run: true },
  });
  // Before the call, because the dispatch ends before a reply if the call times out or is cancelled.
  observeCall(context, upstream.name);
  const params = { name: definition.name, arguments: args, _meta: { "foundry-mcp/request_id": requestId } };
  const options = {
    client: context.clientKey,
    followsTasks: definition.taskSupport === "required" ? ("required" as const) : true,
    ...(hasHeaders(definition) ? { tool: { ...definition } as UnknownRecord } : {}),
  };
  if (upstream.returnsQuestions && context.repeatsCalls) {
    const { responses, state } = context.round;
    const reply = await upstream.callTool(
      {
        ...params,
        _meta: { ...params._meta, [capabilitiesKey]: offeredBy(context) },
        ...(Object.keys(responses).length === 0 ? {} : { inputResponses: responses }),
        ...(state === undefined ? {} : { requestState: state }),
      },
      {
        ...options,
        signal,
        timeoutMs: timeoutMs + graceMs,
        returnsQuestions: true,
        questions: refusing(context, upstream.redact),
        onProgress: toProgress(context, upstream.redact),
      },
    );
    if (reply.kind === "result" && isQuestion(reply.result)) throw new InputRequired(reply.result);
    if (reply.kind === "error" && isRefusedRound(reply.code, state)) throw toRefusal(reply, upstream.redact);
    observeReply(context, reply);
    return reply;
  }
  const asks = upstream.relaysQuestions && (context.canAsk("elicitation") || context.canAsk("sampling"));
  let reply: RawReply;
  if (resumed === undefined && !asks) {
    reply = await upstream.callTool(params, {
      ...options,
      signal,
      timeoutMs: timeoutMs + graceMs,
      questions: refusing(context, upstream.redact),
      onProgress: toProgress(context, upstream.redact),
    });
  } else {
    // The time limit of the call does not run while a question is open, so only the dispatch watches it.
    const call =
      resumed ??
      new AskingCall(toOwner(), context.clientKey, (more) =>
        upstream.callTool(params, { ...options, ...more, timeoutMs: Number.POSITIVE_INFINITY }),
      );
    reply = await questions.follow(call, context, upstream.redact);
  }
  observeReply(context, reply);
  return reply;
}

/** The key in `_meta` under which a request of protocol version 2026-07-28 names the capabilities of its client. */
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

/** Returns the capabilities of the client of a call as far as the gateway passes them on. */
function offeredBy({ canAsk }: Context): UnknownRecord {
  return {
    ...(canAsk("elicitation") ? { elicitation: { form: {}, url: {} } } : {}),
    ...(canAsk("sampling") ? { sampling: {} } : {}),
  };
}

/** The code of a call whose client lacks a capability that the server needs. */
const missingCapability = -32_021;

/** True for an error that the protocol requires to reach the client as one: of a capability, or of a repeated call. */
function isRefusedRound(code: number, state: string | undefined): boolean {
  return code === missingCapability || (code === invalidParams && state !== undefined);
}

const invalidParams = -32_602;

function toRefusal({ code, message, data }: Extract<RawReply, { readonly kind: "error" }>, redact: Redactor) {
  const options = { errorCode: code === missingCapability ? "NOT_IMPLEMENTED" : "VALIDATION_ERROR" } as const;
  const members = redactDeep(isRecordOf(data) ? data : {}, redact) as UnknownRecord;
  return new ProtocolRefusal({ message: redact(message), options }, code, members);
}

function isQuestion(result: unknown): result is UnknownRecord {
  return isRecordOf(result) && result["resultType"] === "input_required";
}

/** Refuses every question, because the client of the call can answer none. */
function refusing({ clientKey, log }: Context, redact: Redactor): QuestionReceiver {
  return {
    owner: clientKey,
    ask: async (request) => {
      throw cannotAsk(capabilityOf(request));
    },
    log: (level, data) => log(level, redactDeep(data, redact)),
  };
}

const headerTools = new WeakMap<UpstreamTool, boolean>();

/** True for a tool with arguments that are also sent as HTTP headers. */
function hasHeaders(definition: UpstreamTool): boolean {
  const known = headerTools.get(definition);
  if (known !== undefined) return known;
  const found = JSON.stringify(definition.inputSchema).includes('"x-mcp-header"');
  headerTools.set(definition, found);
  return found;
}

function hasProperty({ properties }: Readonly<Record<string, unknown>>, name: string): boolean {
  return isRecordOf(properties) && Object.hasOwn(properties, name);
}

function isRecordOf(value: unknown): value is UnknownRecord {
  return typeof value === "object" && value !== null;
}
