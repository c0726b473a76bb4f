import { randomBytes } from "node:crypto";
import { validationError } from "@foundry-mcp/contract";
import {
  createRequestStateCodec,
  inputRequired,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type Asker, type AskRequest, InputRequired } from "../context/ask.ts";
import { Refusal } from "./refusal.ts";

/** Answers of earlier rounds, by the order in which they were asked for. */
type Answers = Readonly<Record<string, unknown>>;

/** Asks where there is no connection to ask on: the questions travel with the answer of the call, and the answers with its repetition. */
export interface Replay {
  createAsker(context: ServerContext): Asker;
}

/** Creates the replay of one server; its state is signed, so that a client can keep but not change it. */
export function createReplay(key: Uint8Array | string = randomBytes(32)): Replay {
  const codec = createRequestStateCodec<Answers>({
    key,
    // What one principal was asked is no answer of another.
    bind: ({ mcpReq, http }) => `${mcpReq.method}\0${http?.authInfo?.clientId ?? ""}`,
  });
  return {
    createAsker(context) {
      let asked = 0;
      let earlier: Promise<Answers> | undefined;
      const open = new Map<string, AskRequest>();
      let round: Promise<never> | undefined;

      const readEarlier = async (): Promise<Answers> => {
        const state = context.mcpReq.requestState();
        const known = typeof state === "string" ? await unseal(codec.verify(state, context)) : {};
        return { ...known, ...context.mcpReq.inputResponses };
      };
      // Questions that a handler asks at the same time go out in one round.
      const endRound = async (answers: Answers): Promise<never> => {
        await new Promise((resolve) => setImmediate(resolve));
        const requestState = await codec.mint(answers, context);
        const inputRequests = Object.fromEntries(open) as never;
        throw new InputRequired({ ...inputRequired({ inputRequests, requestState }) });
      };

      return async (request) => {
        asked += 1;
        const key = `question_${asked}`;
        earlier ??= readEarlier();
        const answers = await earlier;
        if (Object.hasOwn(answers, key)) return answers[key];
        open.set(key, request);
        round ??= endRound(answers);
        return round;
      };
    },
  };
}

async function unseal(opened: Promise<Answers>): Promise<Answers> {
  try {
    return await opened;
  } catch {
    const failure = validationError(
      { field: "requestState", constraint: "usable", message: "requestState is altered or has expired" },
      { remediation: "Call again without requestState and inputResponses, and answer the questions anew." },
    );
    throw new Refusal(failure, ProtocolErrorCode.InvalidParams);
  }
}
