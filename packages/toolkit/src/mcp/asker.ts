import { randomBytes } from "node:crypto";
import { ContractError, validationError } from "@foundry-mcp/contract";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  inputRequired,
  type McpRequestContext,
  ProtocolErrorCode,
  type RequestOptions,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type Asker, type AskRequest, cannotAsk, InputRequired } from "../context/ask.ts";
import type { McpHost } from "./create-mcp-server.ts";
import { ProtocolRefusal } from "./protocol-errors.ts";

/** How long a person may take to answer. */
const maxAnswerMs = 600_000;

/** Creates the asker of a client: over its connection, or since 2026-07-28 by a result that makes it call again. */
export function createAsker(
  { replay }: McpHost,
  server: Server,
  context: ServerContext,
  era: McpRequestContext["era"],
): Asker {
  return era === "modern" ? createReplayAsker(replay, context) : createConnectionAsker(server, context);
}

/** Since 2026-07-28 each request carries the capabilities of its client; a missing one is a JSON-RPC error. */
function createReplayAsker(replay: Replay, context: ServerContext): Asker {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const offered = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const ask = replay.createAsker(context);
  return async (request) => {
    const capability = capabilityOf(request);
    if (offered?.[capability] === undefined) {
      throw new ProtocolRefusal(cannotAsk(capability), ProtocolErrorCode.MissingRequiredClientCapability, {
        requiredCapabilities: { [capability]: {} },
      });
    }
    return ask(request);
  };
}

function createConnectionAsker(server: Server, { mcpReq }: ServerContext): Asker {
  const options: RequestOptions & { relatedRequestId: typeof mcpReq.id } = {
    // Over HTTP the request is then sent on the stream of the call itself.
    relatedRequestId: mcpReq.id,
    signal: mcpReq.signal,
    timeout: maxAnswerMs,
    resetTimeoutOnProgress: true,
  };
  return async (request) => {
    const { method, params } = request;
    const capability = capabilityOf(request);
    if (server.getClientCapabilities()?.[capability] === undefined) throw cannotAsk(capability);
    try {
      // Sent without the SDK's validation: answers are validated in one place, for every protocol version.
      return await server.request({ method, params }, options);
    } catch (cause) {
      throw new ContractError(`The client did not answer ${method}`, { errorCode: "UPSTREAM_ERROR", cause });
    }
  };
}

function capabilityOf({ method }: AskRequest): "elicitation" | "sampling" {
  return method === "elicitation/create" ? "elicitation" : "sampling";
}

/** The answers of earlier rounds, by the number of the question. */
type Answers = Readonly<Record<string, unknown>>;

/** Asks without a connection: the call returns the questions, and the client repeats it with the answers. */
export interface Replay {
  createAsker(context: ServerContext): Asker;
}

/** Creates the replay of one server; its state is signed, since clients store it between the rounds. */
export function createReplay(key: Uint8Array | string = randomBytes(32)): Replay {
  const codec = createRequestStateCodec<Answers>({
    key,
    // The state of one principal must not be accepted from another.
    bind: ({ mcpReq, http }) => `${mcpReq.method}\0${http?.authInfo?.clientId ?? ""}`,
  });
  return {
    createAsker(context) {
      let asked = 0;
      let earlier: Promise<Answers> | undefined;
      const pending = new Map<string, AskRequest>();
      let round: Promise<never> | undefined;

      const readEarlier = async (): Promise<Answers> => {
        const state = context.mcpReq.requestState();
        const known = typeof state === "string" ? await verified(codec.verify(state, context)) : {};
        return { ...known, ...context.mcpReq.inputResponses };
      };
      // Questions that a handler asks concurrently are sent in one round.
      const endRound = async (answers: Answers): Promise<never> => {
        await new Promise((resolve) => setImmediate(resolve));
        const requestState = await codec.mint(answers, context);
        const inputRequests = Object.fromEntries(pending) as never;
        throw new InputRequired({ ...inputRequired({ inputRequests, requestState }) });
      };

      return async (request) => {
        asked += 1;
        const key = `question_${asked}`;
        earlier ??= readEarlier();
        const answers = await earlier;
        if (Object.hasOwn(answers, key)) return answers[key];
        pending.set(key, request);
        round ??= endRound(answers);
        return round;
      };
    },
  };
}

async function verified(answers: Promise<Answers>): Promise<Answers> {
  try {
    return await answers;
  } catch {
    const failure = validationError(
      { field: "requestState", constraint: "usable", message: "requestState is altered or has expired" },
      { remediation: "Call again without requestState and inputResponses, and answer the questions anew." },
    );
    throw new ProtocolRefusal(failure, ProtocolErrorCode.InvalidParams);
  }
}
