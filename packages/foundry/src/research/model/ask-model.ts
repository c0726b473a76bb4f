import type { IncomingMessage } from "node:http";
import { ChatAnswer } from "./chat-response.ts";
import type { ChatMessage } from "./chat-message.ts";
import { openChatRequest } from "./chat-request.ts";
import { ModelFailure } from "./model-failure.ts";
import type { ModelOptions } from "./model-options.ts";

const usualTimeoutMs = 60_000;
/** A longer time would be no time at all to a timer. */
const longestTimeoutMs = 2 ** 31 - 1;
/** A shorter key may well be a word. */
const shortestKey = 16;

/**
 * Asks a model and gives the whole answer, or throws a ModelFailure: what has not ended as it should is no answer.
 * Redirects are not followed, as the key would travel with them. Where the signal is aborted, its reason is thrown.
 */
export async function askModel(
  model: ModelOptions,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const answer = await exchange(model, messages, signal);
  const key = model.key?.trim() ?? "";
  // Some servers repeat what they were sent, and a digest is kept and read by others.
  if (key.length >= shortestKey && answer.includes(key))
    throw new ModelFailure("garbage", "The answer of the model repeats the key");
  return answer;
}

function exchange(
  model: ModelOptions,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { timeoutMs = usualTimeoutMs } = model;
    const request = openChatRequest(model, messages);
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      request.destroy();
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    const abort = () => fail(signal.reason);
    const timer = setTimeout(
      () =>
        fail(new ModelFailure("too_slow", `The model did not answer within ${timeoutMs / 1_000} seconds`)),
      Math.min(timeoutMs, longestTimeoutMs),
    );
    const attempt = (read: () => string | undefined) => {
      try {
        const answer = read();
        if (answer === undefined) return;
        end();
        resolve(answer);
      } catch (error) {
        fail(error);
      }
    };
    signal.addEventListener("abort", abort, { once: true });
    // Stays to the end: a request that was given up may still fail.
    request.on("error", (error) => fail(toFailure(error)));
    request.once("response", (response) => hear(response, attempt, fail));
  });
}

function hear(
  response: IncomingMessage,
  attempt: (read: () => string | undefined) => void,
  fail: (error: unknown) => void,
): void {
  const { statusCode = 0 } = response;
  if (statusCode < 200 || statusCode > 299) {
    fail(new ModelFailure("refused", `The server of the model answers ${statusCode}`));
    return;
  }
  const answer = new ChatAnswer();
  response.on("data", (chunk: Buffer) => attempt(() => answer.take(chunk)));
  response.once("end", () => attempt(() => answer.finish()));
  // Also after an end, when it is too late to matter.
  response.once("close", () => fail(new ModelFailure("cut_off", "The connection to the model was cut")));
}

/** Only the code of an error is told: nothing in it is a secret. */
function toFailure({ code = "no reason" }: NodeJS.ErrnoException): ModelFailure {
  if (code === "ECONNRESET" || code === "EPIPE")
    return new ModelFailure("cut_off", `The connection to the model was cut (${code})`);
  if (code.startsWith("HPE_"))
    return new ModelFailure("garbage", `The server of the model does not speak HTTP (${code})`);
  return new ModelFailure("unreachable", `The server of the model cannot be reached (${code})`);
}
