import type { IncomingMessage } from "node:http";
import { type ChatMessage, type ModelOptions, openChatRequest } from "./chat-request.ts";
import { ChatResponseParser } from "./chat-response.ts";
import { ModelFailure } from "./model-failure.ts";

const defaultTimeoutMs = 60_000;
/** The longest delay of a timer. A timer with a longer delay fires at once. */
const maxTimeoutMs = 2 ** 31 - 1;
/** The minimum length of an API key for which answers are searched. A shorter key may occur in an answer by chance. */
const minKeyLength = 16;

/**
 * Asks a model and returns the complete answer. Throws a ModelFailure if there is no answer, or only a part of one.
 * Redirects are not followed, because their target would receive the key.
 */
export async function askModel(
  model: ModelOptions,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const answer = await sendRequest(model, messages, signal);
  const key = model.key?.trim() ?? "";
  // Some servers repeat the request in the answer. A digest that contains the key would be stored and shown to others.
  if (key.length >= minKeyLength && answer.includes(key))
    throw new ModelFailure("garbage", "The answer of the model repeats the key");
  return answer;
}

function sendRequest(
  model: ModelOptions,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { timeoutMs = defaultTimeoutMs } = model;
    const request = openChatRequest(model, messages);
    const cleanUp = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      request.destroy();
    };
    const fail = (error: unknown) => {
      cleanUp();
      reject(error);
    };
    const abort = () => fail(signal.reason);
    const timer = setTimeout(
      () =>
        fail(new ModelFailure("too_slow", `The model did not answer within ${timeoutMs / 1_000} seconds`)),
      Math.min(timeoutMs, maxTimeoutMs),
    );
    const attempt = (read: () => string | undefined) => {
      try {
        const answer = read();
        if (answer === undefined) return;
        cleanUp();
        resolve(answer);
      } catch (error) {
        fail(error);
      }
    };
    signal.addEventListener("abort", abort, { once: true });
    // This listener is never removed, because a destroyed request may still emit an error.
    request.on("error", (error) => fail(toFailure(error)));
    request.once("response", (response) => readResponse(response, attempt, fail));
  });
}

function readResponse(
  response: IncomingMessage,
  attempt: (read: () => string | undefined) => void,
  fail: (error: unknown) => void,
): void {
  const { statusCode = 0 } = response;
  if (statusCode < 200 || statusCode > 299) {
    fail(new ModelFailure("refused", `The server of the model answers ${statusCode}`));
    return;
  }
  const parser = new ChatResponseParser();
  response.on("data", (chunk: Buffer) => attempt(() => parser.write(chunk)));
  response.once("end", () => attempt(() => parser.end()));
  // After a regular end, this listener does nothing, because the promise is settled.
  response.once("close", () => fail(new ModelFailure("cut_off", "The connection to the model was cut")));
}

/** Converts an error using only its code, which contains no secret. */
function toFailure({ code = "no reason" }: NodeJS.ErrnoException): ModelFailure {
  if (code === "ECONNRESET" || code === "EPIPE")
    return new ModelFailure("cut_off", `The connection to the model was cut (${code})`);
  if (code.startsWith("HPE_"))
    return new ModelFailure("garbage", `The server of the model does not speak HTTP (${code})`);
  return new ModelFailure("unreachable", `The server of the model cannot be reached (${code})`);
}
