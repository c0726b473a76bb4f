import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { askModel } from "./ask-model.ts";
import type { ModelOptions } from "./chat-request.ts";
import { type ModelBehaviour, startFakeModel } from "./testing/fake-model.ts";
import { modelBehaviours as behaviours } from "./testing/fake-model-behaviours.ts";
import { failureOf, useModels } from "./testing/use-models.ts";

const key = "sk-very-secret-0123456789";
const text = "The tide, 潮汐, is high 🌊 at noon.";
const messages = [{ role: "user", content: "When is the tide high?" }] as const;
const never = new AbortController().signal;

const start = useModels();

async function ask(behaviour: ModelBehaviour, options: Partial<ModelOptions> = {}): Promise<string> {
  const { baseUrl } = await start(behaviour);
  return askModel({ baseUrl, model: "m", key, ...options }, messages, never);
}

describe("askModel", () => {
  it("sends the messages in the chat format, with the key as a bearer token", async () => {
    const { baseUrl, requests } = await start(behaviours.stream(text));
    await askModel({ baseUrl: `${baseUrl}/?version=2`, model: "tides-7b", key: `${key}\n` }, messages, never);
    expect(requests.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      {
        method: "POST",
        path: "/v1/chat/completions?version=2",
        body: { model: "tides-7b", messages, stream: true, temperature: 0 },
      },
    ]);
    expect(requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      connection: "close",
    });
  });

  it.each([undefined, "", " ".repeat(20)])("sends no key where there is none: %j", async (none) => {
    const { baseUrl, requests } = await start(behaviours.json(text));
    await askModel({ baseUrl, model: "m", key: none }, messages, never);
    expect(requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it("replaces a lone surrogate", async () => {
    const { baseUrl, requests } = await start(behaviours.json(text));
    await askModel({ baseUrl, model: "m" }, [{ role: "user", content: "a\ud83d" }], never);
    expect(requests[0]?.body.messages).toEqual([{ role: "user", content: "a\ufffd" }]);
  });

  it.each<[string, ModelBehaviour]>([
    ["one JSON object", behaviours.json(text)],
    ["one JSON object without a finish reason", behaviours.json(text, null)],
    ["a stream", behaviours.stream(text)],
    ["a stream whose end is all that tells of it", behaviours.stream(text, null)],
    ["a stream with another reason that ends it", behaviours.stream(text, "eos")],
    [
      "a stream that goes on after it is finished",
      (_, response) => {
        response.writeHead(200);
        response.write(`data: {"choices":[{"delta":{"content":${JSON.stringify(text)}}}]}\n\n`);
        response.write('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n');
      },
    ],
    ["a stream that ends without an empty line", behaviours.body(`${event(text)}data: [DONE]`, "text/plain")],
    ["JSON after white space and a byte order mark", behaviours.body(`\ufeff \n${whole(text)}`)],
    [
      "events with other fields, comments, usage and other choices",
      behaviours.body(
        `: ping\r\nretry: 5\r\nid: 1\r\nevent: x\r\ndata: {"choices":[]}\r\n\r\n` +
          `data: {"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":null}}]}\r\n\r\n` +
          `data:{"choices":[{"index":0,"delta":\r\ndata:{"content":${JSON.stringify(text)}}}],"usage":null}\r\n\r\n` +
          `data: [DONE]\r\n\r\n`,
        "text/event-stream",
      ),
    ],
  ])("parses %s", async (_, behaviour) => {
    expect(await ask(behaviour)).toBe(text);
  });

  it("parses a stream whatever its chunks, also within characters and line ends", async () => {
    const bytes = Buffer.from(`${event(text)}data: [DONE]\n\n`.replaceAll("\n", "\r\n"));
    expect(await ask(behaviours.chunks(Array.from(bytes, (byte) => Uint8Array.of(byte))))).toBe(text);
  });

  it.each<[string, string, ModelBehaviour]>([
    ["a stream that is cut", "The connection to the model was cut", behaviours.cutStream(text)],
    ["an object that is cut", "The connection to the model was cut", behaviours.cutJson()],
    [
      "a stream that just ends",
      "The answer of the model ends in the middle",
      behaviours.streamWithoutEnd(text),
    ],
    [
      "a stream that ends within an event",
      "The answer of the model ends in the middle",
      behaviours.body(`${event(text)}data: {"choices":[{"finish_re`),
    ],
    ["nothing at all", "The answer of the model ends in the middle", behaviours.body("")],
    [
      "a stream that reached its length",
      "The answer of the model was cut off at its most tokens",
      behaviours.stream(text, "length"),
    ],
    [
      "an object that reached its length",
      "The answer of the model was cut off at its most tokens",
      behaviours.json(text, "length"),
    ],
    [
      "a connection that is cut before the headers",
      "The connection to the model was cut (ECONNRESET)",
      (_, response) => response.destroy(),
    ],
  ])("reports %s as cut off", async (_, message, behaviour) => {
    expect(await failureOf(() => ask(behaviour))).toMatchObject({ reason: "cut_off", message });
  });

  it.each([401, 404, 429, 500, 503])("reports only the status of a refusal: %i", async (status) => {
    const failure = await failureOf(() => ask(behaviours.refusal(status)));
    expect(failure).toMatchObject({
      reason: "refused",
      message: `The server of the model answers ${status}`,
    });
    expect(failure.everything).not.toContain(key);
  });

  it.each([301, 302, 303, 307, 308])("follows no redirect: %i", async (status) => {
    const other = await start(behaviours.json(text));
    const failure = await failureOf(() =>
      ask(behaviours.redirect(`${other.baseUrl}/chat/completions`, status)),
    );
    expect(failure).toMatchObject({
      reason: "refused",
      message: `The server of the model answers ${status}`,
    });
    expect(other.requests).toEqual([]);
  });

  it.each<[string, string, ModelBehaviour]>([
    ["an error within a stream", "The server of the model answers with an error", behaviours.errorInStream()],
    [
      "an error with the status of success",
      "The server of the model answers with an error",
      behaviours.body('{"error": {"message": "no"}}'),
    ],
    [
      "an answer that a filter withholds",
      "The server of the model withholds the answer",
      behaviours.stream(text, "content_filter"),
    ],
  ])("reports %s as a refusal", async (_, message, behaviour) => {
    const failure = await failureOf(() => ask(behaviour));
    expect(failure).toMatchObject({ reason: "refused", message });
    expect(failure.everything).not.toContain(key);
  });

  it.each<[string, ModelBehaviour]>([
    ["headers that never come", behaviours.silence()],
    ["a byte now and then for ever", behaviours.slowBytes()],
    ["a stream that hangs", behaviours.streamThatHangs(text)],
  ])("times out on %s", async (_, behaviour) => {
    expect(await failureOf(() => ask(behaviour, { timeoutMs: 150 }))).toMatchObject({
      reason: "too_slow",
      message: "The model did not answer within 0.15 seconds",
    });
  });

  it.each<[string, ModelBehaviour]>([
    ["a stream of words for ever", behaviours.endlessStream()],
    ["an event for ever", behaviours.endlessLine()],
    ["a comment for ever", behaviours.endlessLine(":")],
    ["an object for ever", behaviours.endlessLine("{")],
    ["text for ever", behaviours.endlessLine("x")],
    ["an answer of a byte too much", behaviours.stream("x".repeat(256 * 1_024 + 1))],
    ["an object of a byte too much", behaviours.json("x".repeat(256 * 1_024 + 1))],
    ["an answer that is short in characters only", behaviours.json("潮".repeat(100_000))],
  ])("refuses %s as too long", async (_, behaviour) => {
    expect(await failureOf(() => ask(behaviour))).toMatchObject({
      reason: "too_long",
      message: "The answer of the model is too long",
    });
  });

  it("reads the longest answer, however it is escaped", async () => {
    const longest = "\u0001".repeat(256 * 1_024);
    expect((await ask(behaviours.json(longest))) === longest).toBe(true);
    expect((await ask(behaviours.stream(longest))) === longest).toBe(true);
  });

  it.each([
    ["text", "I am a teapot", "The server of the model answers with something else than an answer"],
    [
      "a page",
      "<!doctype html>\n<p>Hello",
      "The server of the model answers with something else than an answer",
    ],
    ["a list", "[1]", "The server of the model answers with something else than an answer"],
    ["broken JSON", '{"choices": [', "The answer of the model is no JSON"],
    ["an event that is no JSON", "data: hello\n\n", "The answer of the model is no JSON"],
    ["an event that is a list", "data: []\n\n", "The answer of the model is no JSON"],
    ["no choices", "{}", "The answer of the model is of another form than agreed"],
    ["choices of another kind", '{"choices": {}}', "The answer of the model is of another form than agreed"],
    ["an empty list of choices", '{"choices": []}', "The answer of the model has no text"],
    [
      "a choice of another kind",
      '{"choices": [5]}',
      "The answer of the model is of another form than agreed",
    ],
    ["no message", '{"choices": [{}]}', "The answer of the model is of another form than agreed"],
    [
      "a message of another kind",
      '{"choices": [{"message": "hello"}]}',
      "The answer of the model is of another form than agreed",
    ],
    [
      "content of another kind",
      '{"choices": [{"message": {"content": ["a"]}}]}',
      "The answer of the model is of another form than agreed",
    ],
    [
      "null for content",
      '{"choices": [{"message": {"content": null}}]}',
      "The answer of the model has no text",
    ],
    ["white space for content", whole(" \n"), "The answer of the model has no text"],
    ["an end without a beginning", "data: [DONE]\n\n", "The answer of the model has no text"],
  ])("reports %s as garbage", async (_, body, message) => {
    expect(await failureOf(() => ask(behaviours.body(body)))).toMatchObject({ reason: "garbage", message });
  });

  it("refuses an answer that repeats the key", async () => {
    const failure = await failureOf(() => ask(behaviours.json(`The key is ${key}.`)));
    expect(failure).toMatchObject({
      reason: "garbage",
      message: "The answer of the model repeats the key",
    });
    expect(failure.everything).not.toContain(key);
  });

  it("reports a server that does not speak HTTP as garbage", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end("220 mail.example.org ESMTP\r\n\r\n"));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const model = { baseUrl: `http://127.0.0.1:${port}/v1`, model: "m", key };
    expect(await failureOf(() => askModel(model, messages, never))).toMatchObject({ reason: "garbage" });
    server.close();
    await once(server, "close");
  });

  it("reveals neither key nor credentials where the connection is refused", async () => {
    const { baseUrl, close } = await startFakeModel(behaviours.silence());
    await close();
    const address = baseUrl.replace("//", "//user:pass-word@");
    const failure = await failureOf(() => askModel({ baseUrl: address, model: "m", key }, messages, never));
    expect(failure).toMatchObject({
      reason: "unreachable",
      message: "The server of the model cannot be reached (ECONNREFUSED)",
    });
    expect(failure.everything).not.toMatch(/sk-very|pass-word/);
  });

  it.each(["", "localhost", "ftp://sk-very@localhost/v1", "file:///sk-very", "http://[::1"])(
    "reports an invalid base URL as unreachable: %j",
    async (baseUrl) => {
      const failure = await failureOf(() => askModel({ baseUrl, model: "m", key }, messages, never));
      expect(failure).toMatchObject({
        reason: "unreachable",
        message: "The address of the model is not an http or https address",
      });
      expect(failure.everything).not.toContain("sk-very");
    },
  );

  it.each([
    ["a key over two lines", { key: "sk-very\nsecret" }],
    ["a key beyond Latin", { key: "sk-very-секрет" }],
    ["credentials that cannot be read", { baseUrl: "http://sk-very:%ff@127.0.0.1:9/v1", key: undefined }],
  ])("refuses to send %s", async (_, options) => {
    const { baseUrl, requests } = await start(behaviours.json(text));
    const failure = await failureOf(() => askModel({ baseUrl, model: "m", ...options }, messages, never));
    expect(failure).toMatchObject({
      reason: "unreachable",
      message: "The key or the address of the model contains a character that cannot be sent",
    });
    expect(failure.everything).not.toContain("sk-very");
    expect(requests).toEqual([]);
  });

  it("throws the reason of an aborted signal, and sends nothing", async () => {
    const reason = new Error("gone");
    const { baseUrl, requests } = await start(behaviours.json(text));
    const asked = askModel({ baseUrl, model: "m" }, messages, AbortSignal.abort(reason));
    await expect(asked).rejects.toBe(reason);
    expect(requests).toEqual([]);
  });

  it.each<[string, (response: Parameters<ModelBehaviour>[1]) => void]>([
    ["before the headers", () => {}],
    ["in the middle of the answer", (response) => response.write(event("The tide"))],
  ])("throws the reason of a signal that is aborted %s", async (_, begin) => {
    const controller = new AbortController();
    const reason = { any: "value" };
    const { baseUrl } = await start((_request, response) => {
      begin(response);
      setImmediate(() => controller.abort(reason));
    });
    await expect(askModel({ baseUrl, model: "m", key }, messages, controller.signal)).rejects.toBe(reason);
  });

  it("leaves no listener on the signal", async () => {
    const { signal } = new AbortController();
    const { baseUrl } = await start(behaviours.json(text));
    const listeners = new Set<unknown>();
    const asked: number[] = [];
    const watched = {
      throwIfAborted: () => signal.throwIfAborted(),
      addEventListener: (_: string, listener: unknown) => asked.push(listeners.add(listener).size),
      removeEventListener: (_: string, listener: unknown) => listeners.delete(listener),
    } as unknown as AbortSignal;
    await askModel({ baseUrl, model: "m" }, messages, watched);
    expect({ asked, left: listeners.size }).toEqual({ asked: [1], left: 0 });
  });

  it("limits a timeout that is too long for a timer", async () => {
    expect(await ask(behaviours.stream(text), { timeoutMs: 2 ** 40 })).toBe(text);
  });

  it("keeps concurrent answers apart", async () => {
    const { baseUrl } = await start(
      behaviours.stream(({ body }) => `You said: ${body.messages[0]?.content}`),
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        askModel(
          { baseUrl, model: "m" },
          [{ role: "user", content: `number ${at}` }],
          new AbortController().signal,
        ),
      ),
    );
    expect(answers).toEqual(Array.from({ length: 20 }, (_, at) => `You said: number ${at}`));
  });
});

function event(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

function whole(content: string): string {
  return JSON.stringify({ choices: [{ index: 0, message: { content } }] });
}
