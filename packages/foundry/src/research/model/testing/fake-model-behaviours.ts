import type { ServerResponse } from "node:http";
import type { ModelBehaviour, ModelRequest } from "./fake-model.ts";

/** What a model says: always the same, or by what it is asked. */
export type Saying = string | ((request: ModelRequest) => string);

/** One digest as a model writes it. */
export interface DigestAnswer {
  readonly summary?: unknown;
  readonly key_points?: unknown;
  readonly quotes?: unknown;
}

/** What models and their servers do, well and badly. */
export const modelBehaviours = {
  /** Answers with one JSON object. */
  json:
    (saying: Saying, finish: string | null = "stop"): ModelBehaviour =>
    (request, response) => {
      const message = { role: "assistant", content: textOf(saying, request) };
      writeJson(response, { id: "chat-1", choices: [{ index: 0, message, finish_reason: finish }] });
    },

  /** Answers word by word, with a finish reason and an end. */
  stream:
    (saying: Saying, finish: string | null = "stop"): ModelBehaviour =>
    (request, response) => {
      writeWords(response, textOf(saying, request));
      response.write(toEvent({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }));
      response.end("data: [DONE]\n\n");
    },

  /** Streams these chunks of the body, each after the one before was sent. */
  pieces:
    (pieces: readonly (string | Uint8Array)[]): ModelBehaviour =>
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const [...left] = pieces;
      const next = () => {
        const piece = left.shift();
        if (piece === undefined) response.end();
        else response.write(piece, () => setImmediate(next));
      };
      next();
    },

  /** Cuts the connection when half is said. */
  cutStream:
    (saying: Saying): ModelBehaviour =>
    (request, response) => {
      const text = textOf(saying, request);
      writeWords(response, text.slice(0, text.length / 2), () => response.destroy());
    },

  /** Cuts the connection in the middle of one JSON object. */
  cutJson: (): ModelBehaviour => (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": 1_000 });
    response.write('{"choices": [{"message": {"content": "Half', () => response.destroy());
  },

  /** Says everything, and ends without saying that this was all. */
  streamWithoutEnd:
    (saying: Saying): ModelBehaviour =>
    (request, response) => {
      writeWords(response, textOf(saying, request), () => response.end());
    },

  /** Says everything, and then nothing more for ever. */
  streamThatHangs:
    (saying: Saying): ModelBehaviour =>
    (request, response) => {
      writeWords(response, textOf(saying, request));
    },

  /** Takes the request and sends nothing, not even headers. */
  silence: (): ModelBehaviour => () => {},

  /** Sends a byte now and then, for ever. */
  slowBytes:
    (everyMs = 20): ModelBehaviour =>
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(":"), everyMs);
      response.once("close", () => clearInterval(timer));
    },

  /** Refuses with a status and a body that repeats the key. */
  refusal:
    (status: number): ModelBehaviour =>
    ({ headers }, response) => {
      writeJson(response, { error: { message: `Not with ${headers["authorization"]}` } }, status);
    },

  /** Answers with an error although its status is one of success. */
  errorInStream:
    (): ModelBehaviour =>
    ({ headers }, response) => {
      writeWords(response, "It begins");
      response.end(toEvent({ error: { message: `Not with ${headers["authorization"]}` } }));
    },

  /** Leads elsewhere. */
  redirect:
    (location: string, status = 307): ModelBehaviour =>
    (_, response) => {
      response.writeHead(status, { location }).end();
    },

  /** Answers with such a body. */
  body:
    (text: string, contentType = "application/json"): ModelBehaviour =>
    (_, response) => {
      response.writeHead(200, { "content-type": contentType }).end(text);
    },

  /** Streams words for ever, as fast as they are read. */
  endlessStream: (): ModelBehaviour => (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    flood(response, toEvent(toDelta("word ".repeat(1_000))));
  },

  /** Sends one line for ever, as fast as it is read. */
  endlessLine:
    (beginning = "data: "): ModelBehaviour =>
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(beginning);
      flood(response, "x".repeat(65_536));
    },

  /** Repeats what it was asked. */
  echo: (): ModelBehaviour =>
    modelBehaviours.stream(({ body }) => body.messages.map(({ content }) => content).join("\n\n")),

  /** Writes a good digest, with such quotes. */
  digest: (answer: DigestAnswer = {}): ModelBehaviour =>
    modelBehaviours.stream(
      JSON.stringify({ summary: "In short.", key_points: ["One point."], quotes: [], ...answer }),
    ),

  /** Writes a digest with quotes that are nowhere. */
  fabricatedQuotes: (): ModelBehaviour =>
    modelBehaviours.digest({
      quotes: ["Nobody has ever written this sentence.", "Nor has anybody written that."],
    }),
} as const;

function textOf(saying: Saying, request: ModelRequest): string {
  return typeof saying === "string" ? saying : saying(request);
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

/** Writes a text word by word and calls back when it has left. */
function writeWords(response: ServerResponse, text: string, then: () => void = () => {}): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(toEvent({ choices: [{ index: 0, delta: { role: "assistant" }, finish_reason: null }] }));
  for (const word of text.match(/\S*\s*/g) ?? []) if (word !== "") response.write(toEvent(toDelta(word)));
  response.write(": all is said\n\n", then);
}

function flood(response: ServerResponse, piece: string): void {
  const write = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once("drain", write);
  };
  write();
}
