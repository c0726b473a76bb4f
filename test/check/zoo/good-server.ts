import { randomBytes } from "node:crypto";
import { type Envelope, toEnvelopeV1, toResponseV1 } from "@foundry-mcp/contract";
import { estimateTokens } from "@foundry-mcp/contract/budget";
import type { Call, Changes } from "./changes.ts";
import { checkArguments } from "./check-arguments.ts";
import type { Action, GoodTool, ListOutcome, LongOutcome, Outcome } from "./good-tool.ts";
import { createGoodTools } from "./good-tools.ts";
import { planPage, readCursor, toPage } from "./paging.ts";
import { joinRefusals, type Refusal, refuseArgument, refuseName } from "./refusal.ts";
import { createRawServer, isJson, type Json, type RawServer, type RpcAnswer } from "./rpc.ts";
import { toDefinition, type ZooDialect } from "./to-definition.ts";

/** The name of the good server. */
export const goodServerName = "zoo-notes";

/**
 * Creates a server that conforms to the whole contract. The server was written by hand from the rules of the
 * contract. A fault changes one step and nothing else.
 */
export function createGoodServer(changes: Changes = {}, dialect: ZooDialect = "response-v2"): RawServer {
  const known = createGoodTools(dialect);
  const tools = changes.tools?.(known) ?? known;
  const told = tools.map((tool) => toDefinition(tool, dialect));
  const definitions = changes.definitions?.(told) ?? told;
  let count = 0;
  return createRawServer({
    name: goodServerName,
    listTools: () => ({ result: { tools: definitions } }),
    callTool(params) {
      count += 1;
      const answering = new Answering(changes, dialect, tools, params, count);
      return answering.answer();
    },
  });
}

/** The processing of one call up to its answer. */
class Answering {
  readonly #changes: Changes;
  readonly #dialect: ZooDialect;
  readonly #tools: readonly GoodTool[];
  readonly #params: Json;
  readonly #count: number;
  readonly #started = performance.now();
  readonly #requestIds: Json;

  constructor(
    changes: Changes,
    dialect: ZooDialect,
    tools: readonly GoodTool[],
    params: Json,
    count: number,
  ) {
    this.#changes = changes;
    this.#dialect = dialect;
    this.#tools = tools;
    this.#params = params;
    this.#count = count;
    this.#requestIds = toRequestIds(params, changes);
  }

  answer(): RpcAnswer | undefined {
    const name = String(this.#params["name"]);
    const given = this.#params["arguments"] ?? {};
    const tool = this.#tools.find((each) => each.name === name);
    const call = { tool: name, action: "", args: isJson(given) ? given : {}, count: this.#count };
    if (tool === undefined) return this.#answerUnknownTool(call);
    const refusal = this.#changes.refuses?.(this.#count);
    if (refusal !== undefined) return this.#send({ refusal }, call);
    if (!isJson(given)) {
      return this.#send({ refusal: refuseArgument("type", "arguments", "type", "an object") }, call);
    }
    const checked = checkArguments(tool, given, this.#changes);
    const [first, ...more] = checked.refusals;
    const named = { ...call, action: checked.name };
    if (first !== undefined) return this.#send({ refusal: joinRefusals([first, ...more]) }, named);
    return this.#send(this.#run(checked.action, checked.args, named), named);
  }

  #answerUnknownTool(call: Omit<Call, "refused">): RpcAnswer | undefined {
    const names = this.#tools.map(({ name }) => name);
    const refusal = refuseName("unknown-tool", call.tool, names);
    if (this.#changes.forgives?.(refusal, call.tool) === true) return this.#send({ data: {} }, call);
    const refused: Call = { ...call, refused: refusal.kind };
    const data = this.#toEnvelope({ refusal }, refused);
    return this.#leave({ error: { code: -32602, message: refusal.message, data } }, refused);
  }

  #run(action: Action | undefined, args: Json, call: Omit<Call, "refused">): Outcome {
    const outcome = action?.run(args) ?? { data: {} };
    if ("list" in outcome) return this.#toPage(outcome.list, call);
    if ("long" in outcome) return this.#fit(outcome.long, call);
    return outcome;
  }

  #toPage(list: ListOutcome, { tool, action }: Omit<Call, "refused">): Outcome {
    const name = `${tool} ${action}`;
    const refusal: Refusal = {
      kind: "cursor",
      code: "INVALID_CURSOR",
      type: "validation",
      message: "The cursor cannot be used: it is not a cursor of this list",
      remediation: "Leave out cursor to start again from the first page.",
      details: { field: "cursor", constraint: "usable", reason: "it is not a cursor of this list" },
    };
    const read = readCursor(list, name);
    if (read === undefined && this.#changes.forgives?.(refusal, list.cursor) !== true) return { refusal };
    const plan = planPage(list, read ?? 0);
    const { data, pagination } = toPage(list, this.#changes.plan?.(plan, list) ?? plan, name);
    const { pagination: change = (whole: Json) => whole } = this.#changes;
    const changed = change(pagination);
    return { data, ...(changed === undefined ? {} : { meta: { pagination: changed } }) };
  }

  /** Returns as many parts as fit into the final form of the answer. */
  #fit({ parts, maxTokens, keep }: LongOutcome, call: Omit<Call, "refused">): Outcome {
    const isFree = maxTokens === 0 || this.#changes.ignoresBudget === true;
    for (let kept = parts; kept >= 0; kept -= 1) {
      const outcome = keep(kept);
      const text = JSON.stringify(this.#toEnvelope(outcome, { ...call, refused: undefined }));
      if (isFree || estimateTokens(text) <= maxTokens) return outcome;
    }
    return {
      refusal: {
        kind: "too-large",
        code: "CONTENT_TOO_LARGE",
        type: "validation",
        message: `The answer does not fit max_tokens ${maxTokens}`,
        remediation: "Send a max_tokens of at least 1000.",
        details: { field: "max_tokens", constraint: "fits", received: maxTokens },
      },
    };
  }

  #send(outcome: Outcome, sent: Omit<Call, "refused">): RpcAnswer | undefined {
    const call: Call = { ...sent, refused: "refusal" in outcome ? outcome.refusal.kind : undefined };
    const envelope = this.#toEnvelope(outcome, call);
    const content = [{ type: "text", text: JSON.stringify(envelope) }];
    const isError = "refusal" in outcome;
    const result = { content, structuredContent: envelope, ...(isError ? { isError } : {}) };
    return this.#leave({ result: this.#changes.result?.(result, call) ?? result }, call);
  }

  #leave(answer: RpcAnswer, call: Call): RpcAnswer | undefined {
    return this.#changes.answer === undefined ? answer : this.#changes.answer(answer, call);
  }

  #toEnvelope(outcome: Outcome, call: Call): Json {
    const envelope = this.#toDialect(this.#toResponse(outcome, call), call);
    return this.#changes.envelope?.(envelope, call) ?? envelope;
  }

  #toResponse(outcome: Outcome, call: Call): Json {
    const { warnings, warning_details, pagination, ...fidelity } =
      "refusal" in outcome ? ({} as Json) : (outcome.meta ?? {});
    const { request_id, client_request_id } = this.#requestIds;
    const telemetry = { duration_ms: Math.max(1, Math.round(performance.now() - this.#started)) };
    const given = {
      request_id,
      warnings,
      warning_details,
      pagination,
      telemetry,
      ...fidelity,
      client_request_id,
    };
    const present = Object.entries(given).filter(([, value]) => value !== undefined);
    const all: Json = { version: "response-v2", ...Object.fromEntries(present) };
    const meta = this.#changes.meta?.(all, call) ?? all;
    if (!("refusal" in outcome)) {
      const data = this.#changes.data?.(outcome.data, call) ?? outcome.data;
      return { success: true, data, error: null, meta };
    }
    const { refusal: change = (refusal: Refusal) => refusal } = this.#changes;
    const { code, type, message, remediation, details } = change(outcome.refusal, call);
    const data = {
      error_code: code,
      error_type: type,
      remediation,
      ...(details === undefined ? {} : { details }),
    };
    return { success: false, data, error: message, meta };
  }

  #toDialect(envelope: Json, { tool }: Call): Json {
    if (this.#dialect === "response-v2") return envelope;
    if (this.#dialect === "response-v1") return toResponseV1(envelope as unknown as Envelope) as Json;
    const capabilities = ["envelope-v1", "notes"];
    const identity = { tier: "pro", toolId: tool, toolVersion: "1.0.0", capabilities } as const;
    return toEnvelopeV1(envelope as unknown as Envelope, identity) as unknown as Json;
  }
}

/** Returns the caller's id if it is valid. Otherwise, returns a new id together with the caller's id. */
function toRequestIds(
  { _meta }: Json,
  { requestId = (id: string): string | undefined => id }: Changes,
): Json {
  const asked = isJson(_meta) ? _meta["foundry-mcp/request_id"] : undefined;
  if (typeof asked === "string" && /^[A-Za-z0-9_-]{1,128}$/.test(asked))
    return { request_id: requestId(asked) };
  return {
    request_id: requestId(`req_${randomBytes(6).toString("hex")}`),
    ...(typeof asked === "string" ? { client_request_id: asked } : {}),
  };
}
