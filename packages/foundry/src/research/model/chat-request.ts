import { type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { ChatMessage } from "./chat-message.ts";
import { ModelFailure } from "./model-failure.ts";
import type { ModelOptions } from "./model-options.ts";

/** Opens a request for an answer and sends it; whoever gets it hears its errors and destroys it. */
export function openChatRequest(model: ModelOptions, messages: readonly ChatMessage[]): ClientRequest {
  const url = toUrl(model.baseUrl);
  const body = Buffer.from(toBody(model, messages));
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  try {
    const request = send(url, {
      method: "POST",
      // A connection of its own ends with the request.
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
    // Only a header or credentials that cannot be written end here, and what Node says may quote them.
    throw new ModelFailure("unreachable", "The key or the address of the model holds what cannot be sent");
  }
}

function toUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new ModelFailure("unreachable", "The address of the model is no address with http or https");
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  return url;
}

function toBody({ model }: ModelOptions, messages: readonly ChatMessage[]): string {
  return JSON.stringify({
    model,
    // Strict readers refuse the whole over half a surrogate pair.
    messages: messages.map(({ role, content }) => ({ role, content: content.toWellFormed() })),
    stream: true,
    temperature: 0,
  });
}

function toAuthorization(key = ""): { readonly authorization?: string } {
  // A key that was read from a file ends with a line end.
  const token = key.trim();
  return token === "" ? {} : { authorization: `Bearer ${token}` };
}
