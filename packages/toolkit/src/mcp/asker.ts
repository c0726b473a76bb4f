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
import { type Asker, type AskRequest, cannotAsk, capabilityOf, InputRequired } from "../context/ask.ts";
import type { McpHost } from "./create-mcp-server.ts";
import { ProtocolRefusal } from "./protocol-errors.ts";

/** The time limit for a person's answer to a question. */
const maxAnswerMs = 600_000;

/**
 * Creates the function that asks a client. Since protocol version 2026-07-28, the call returns the question,
 * and the client calls again with the answer. In earlier versions, the question is sent over the connection.
 */
export function createAsker(
  { replay }: McpHost,
  server: Server,
  context: ServerContext,
  era: McpRequestContext["era"],
): Asker {
  return era === "modern" ? createReplayAsker(replay, context) : createConnectionAsker(server, context);
}

/**
 * Since protocol version 2026-07-28, each request lists the capabilities of its client; a missing capability causes
 * a JSON-RPC error.
 */
function createReplayAsker(replay: Replay, context: ServerContext): Asker {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const offered = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const ask = replay.createAsker(context);
  return async (request, name) => {
    const capability = capabilityOf(request);
    if (offered?.[capability] === undefined) {
      throw new ProtocolRefusal(cannotAsk(capability), ProtocolErrorCode.MissingRequiredClientCapability, {
        requiredCapabilities: { [capability]: {} },
      });
    }
    return ask(request, name);
  };
}

/** Creates the function that asks a client over its connection, in protocol versions before 2026-07-28. */
export function createConnectionAsker(server: Server, { mcpReq }: ServerContext): Asker {
  const options: RequestOptions & { relatedRequestId: typeof mcpReq.id } = {
    // Because of the related request id, HTTP sends the question on the stream of the call itself.
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
      // The SDK does not validate the answer here, because the answers of all protocol versions are validated
      // in one place, after this function has returned.
      return await server.request({ method, params }, options);
    } catch (cause) {
      throw new ContractError(`The client did not answer ${method}`, { errorCode: "UPSTREAM_ERROR", cause });
    }
  };
}

/** The client's answers from earlier rounds, by the number of the question. */
type Answers = Readonly<Record<string, unknown>>;

/** Asks without a connection: the call returns the questions, and the client repeats the call with the answers. */
export interface Replay {
  createAsker(context: ServerContext): Asker;
}

/**
 * Creates the functions with which one server sends questions as results and reads the answers of repeated calls. The
 * state is signed, because clients store it between the rounds and could alter it.
 */
export function createReplay(key: Uint8Array | string = randomBytes(32)): Replay {
  const codec = createRequestStateCodec<Answers>({
    key,
    // The state of one principal must not be accepted from another principal.
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

      return async (request, name) => {
        asked += 1;
        const key = name ?? `question_${asked}`;
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
