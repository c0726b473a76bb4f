import type { ServerResponse } from "node:http";
import type { ModelBehaviour, ModelRequest } from "./fake-model.ts";

/** The answer of a model: a constant, or a function of the request. */
export type Answer = string | ((request: ModelRequest) => string);

/** A digest in the form that models write. */
export interface DigestAnswer {
  readonly summary?: unknown;
  readonly key_points?: unknown;
  readonly quotes?: unknown;
}

/** Behaviours of models and their servers, correct and faulty. */
export const modelBehaviours = {
  /** Answers with one JSON object. */
  json:
    (answer: Answer, finish: string | null = "stop"): ModelBehaviour =>
    (request, response) => {
      const message = { role: "assistant", content: textOf(answer, request) };
      writeJson(response, { id: "chat-1", choices: [{ index: 0, message, finish_reason: finish }] });
    },

  /** Streams the answer word by word, with a finish reason and [DONE]. */
  stream:
    (answer: Answer, finish: string | null = "stop"): ModelBehaviour =>
    (request, response) => {
      writeWords(response, textOf(answer, request));
      response.write(toEvent({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }));
      response.end("data: [DONE]\n\n");
    },

  /** Streams these chunks of the body. Each chunk is sent after the previous chunk was sent. */
  chunks:
    (chunks: readonly (string | Uint8Array)[]): ModelBehaviour =>
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const [...left] = chunks;
      const next = () => {
        const chunk = left.shift();
        if (chunk === undefined) response.end();
        else response.write(chunk, () => setImmediate(next));
      };
      next();
    },

  /** Closes the connection after half of the answer. */
  cutStream:
    (answer: Answer): ModelBehaviour =>
    (request, response) => {
      const text = textOf(answer, request);
      writeWords(response, text.slice(0, text.length / 2), () => response.destroy());
    },

  /** Closes the connection within a JSON object. */
  cutJson: (): ModelBehaviour => (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": 1_000 });
    response.write('{"choices": [{"message": {"content": "Half', () => response.destroy());
  },

  /** Streams the whole answer without a finish reason. */
  streamWithoutEnd:
    (answer: Answer): ModelBehaviour =>
    (request, response) => {
      writeWords(response, textOf(answer, request), () => response.end());
    },

  /** Streams the whole answer but leaves the connection open. */
  streamThatHangs:
    (answer: Answer): ModelBehaviour =>
    (request, response) => {
      writeWords(response, textOf(answer, request));
    },

  /** Reads the request and sends nothing, not even headers. */
  silence: (): ModelBehaviour => () => {},

  /** Sends single bytes forever. */
  slowBytes:
    (everyMs = 20): ModelBehaviour =>
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(":"), everyMs);
      response.once("close", () => clearInterval(timer));
    },

  /** Refuses the request with a status and a body that repeats the key. */
  refusal:
    (status: number): ModelBehaviour =>
    ({ headers }, response) => {
      writeJson(response, { error: { message: `Not with ${headers["authorization"]}` } }, status);
    },

  /** Sends an error event with the status 200. */
  errorInStream:
    (): ModelBehaviour =>
    ({ headers }, response) => {
      writeWords(response, "It begins");
      response.end(toEvent({ error: { message: `Not with ${headers["authorization"]}` } }));
    },

  /** Redirects the request. */
  redirect:
    (location: string, status = 307): ModelBehaviour =>
    (_, response) => {
      response.writeHead(status, { location }).end();
    },

  /** Answers with this body. */
  body:
    (text: string, contentType = "application/json"): ModelBehaviour =>
    (_, response) => {
      response.writeHead(200, { "content-type": contentType }).end(text);
    },

  /** Streams words forever, as fast as the client reads them. */
  endlessStream: (): ModelBehaviour => (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    flood(response, toEvent(toDelta("word ".repeat(1_000))));
  },

  /** Sends an endless line, as fast as the client reads it. */
  endlessLine:
    (beginning = "data: "): ModelBehaviour =>
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(beginning);
      flood(response, "x".repeat(65_536));
    },

  /** Repeats the prompt. */
  echo: (): ModelBehaviour =>
    modelBehaviours.stream(({ body }) => body.messages.map(({ content }) => content).join("\n\n")),

  /** Writes a valid digest with these quotes. */
  digest: (answer: DigestAnswer = {}): ModelBehaviour =>
    modelBehaviours.stream(
      JSON.stringify({ summary: "In short.", key_points: ["One point."], quotes: [], ...answer }),
    ),

  /** Writes a digest with invented quotes. */
  fabricatedQuotes: (): ModelBehaviour =>
    modelBehaviours.digest({
      quotes: ["Nobody has ever written this sentence.", "Nor has anybody written that."],
    }),
} as const;

function textOf(answer: Answer, request: ModelRequest): string {
  return typeof answer === "string" ? answer : answer(request);
}

function toEvent(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function toDelta(content: string): unknown {
  return { choices: [{ index: 0, delta: { content }, finish_reason: null }] };
}

function writeJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Streams a text word by word, and calls back once the text was sent. */
function writeWords(response: ServerResponse, text: string, then: () => void = () => {}): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(toEvent({ choices: [{ index: 0, delta: { role: "assistant" }, finish_reason: null }] }));
  for (const word of text.match(/\S*\s*/g) ?? []) if (word !== "") response.write(toEvent(toDelta(word)));
  response.write(": all is said\n\n", then);
}

function flood(response: ServerResponse, chunk: string): void {
  const write = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once("drain", write);
  };
  write();
}
