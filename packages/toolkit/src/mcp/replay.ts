import { randomBytes } from "node:crypto";
import { validationError } from "@foundry-mcp/contract";
import {
  createRequestStateCodec,
  inputRequired,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type Asker, type AskRequest, InputRequired } from "../context/ask.ts";
import { ProtocolRefusal } from "./protocol-errors.ts";

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
