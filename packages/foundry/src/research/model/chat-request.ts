import { type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { ModelFailure } from "./model-failure.ts";

/** The model to call over the OpenAI chat API. */
export interface ModelOptions {
  /** The base URL, such as http://127.0.0.1:8080/v1. `/chat/completions` is appended to it. */
  readonly baseUrl: string;
  readonly model: string;
  /** The bearer token. The token never appears in logs or errors. */
  readonly key?: string | undefined;
  /**
   * The deadline of one answer in milliseconds.
   * @default 60_000
   */
  readonly timeoutMs?: number | undefined;
}

/** A message to a model. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** Sends a chat request. The caller handles its errors and destroys the request. */
export function openChatRequest(model: ModelOptions, messages: readonly ChatMessage[]): ClientRequest {
  const url = toUrl(model.baseUrl);
  const body = Buffer.from(toBody(model, messages));
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  try {
    const request = send(url, {
      method: "POST",
      // Without an agent, the connection closes after the request.
      agent: false,
      headers: {
        "content-type": "application/json",
        "content-length": body.length,
        accept: "text/event-stream, application/json",
        "accept-encoding": "identity",
        ...toAuthorization(model.key),
      },
    });
    request.end(body);
    return request;
  } catch {
    // Only an invalid header or invalid credentials cause this error, and Node's message may quote them.
    throw new ModelFailure(
      "unreachable",
      "The key or the address of the model contains a character that cannot be sent",
    );
  }
}

function toUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new ModelFailure("unreachable", "The address of the model is not an http or https address");
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  return url;
}

function toBody({ model }: ModelOptions, messages: readonly ChatMessage[]): string {
  return JSON.stringify({
    model,
    // Strict JSON parsers reject a lone surrogate.
    messages: messages.map(({ role, content }) => ({ role, content: content.toWellFormed() })),
    stream: true,
    temperature: 0,
  });
}

function toAuthorization(key = ""): { readonly authorization?: string } {
  // A key that was read from a file may end with a newline.
  const token = key.trim();
  return token === "" ? {} : { authorization: `Bearer ${token}` };
}
