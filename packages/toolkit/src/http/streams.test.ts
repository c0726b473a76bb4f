import { afterEach, describe, expect, it } from "vitest";
import { defineResource } from "../define/resource.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import { createHttpApp, type HttpApp, type HttpAppOptions } from "./http-app.ts";

const registry = createRegistry({
  name: "s",
  version: "1.0.0",
  resources: [
    defineResource({ uri: "x://list", name: "list", read: () => "" }),
    defineResource({ uriTemplate: "x://item/{id}", name: "item", read: () => "" }),
  ],
});
const tokenOf = (name: string) => `token-of-${name}-0123456789`;
const tokens = ["ann", "bob"].map((principal) => ({ principal, token: tokenOf(principal) }));
let app: HttpApp;
afterEach(() => app.close());

function open(options: HttpAppOptions): void {
  app = createHttpApp(registry, options);
}

async function send(body: object | undefined, headers: Record<string, string>): Promise<Response> {
  return app.fetch(
    new Request("http://localhost/mcp", {
      method: body === undefined ? "GET" : "POST",
      headers: {
        host: "localhost",
        accept: "application/json, text/event-stream",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}

/** Reads the messages of a stream as they arrive. */
class Listener {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor({ body }: Response) {
    this.#reader = (body as ReadableStream<Uint8Array>).getReader();
  }

  /** Returns the next message; undefined if the stream has ended. */
  async next(): Promise<
    { readonly method?: string; readonly params?: { readonly notifications?: object } } | undefined
  > {
    const { done, value } = await this.#reader.read();
    if (done) return undefined;
    return JSON.parse(String(/^data: (.*)$/m.exec(new TextDecoder().decode(value))?.[1]));
  }
}

/** Opens a stream as a client of protocol version 2026-07-28, and returns the server's acknowledgement. */
async function listen(headers: Record<string, string>, name = "c", uris: readonly string[] = ["x://list"]) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name, version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const response = await send(
    {
      jsonrpc: "2.0",
      id: 1,
      method: "subscriptions/listen",
      params: { _meta, notifications: { resourceSubscriptions: uris } },
    },
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen", ...headers },
  );
  const listener = new Listener(response);
  const acknowledged = (await listener.next())?.params?.notifications;
  return { listener, acknowledged };
}

/** Opens a session of a 2025 protocol version. */
async function start(headers: Record<string, string>, name = "c"): Promise<Record<string, string>> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name, version: "1" } };
  const response = await send({ jsonrpc: "2.0", id: 1, method: "initialize", params }, headers);
  await response.text();
  return { ...headers, "mcp-session-id": String(response.headers.get("mcp-session-id")) };
}

const bearer = (name: string) => ({ authorization: `Bearer ${tokenOf(name)}` });

/** Finds the listeners that still receive a change notification. */
async function whoHears(listeners: readonly Listener[]): Promise<boolean[]> {
  registry.resourceChanged("x://list");
  return Promise.all(listeners.map(async (listener) => (await listener.next()) !== undefined));
}

describe("streams of notifications", () => {
  it.each([
    ["principals", { tokens }, bearer("ann"), bearer("bob"), "same"],
    ["clients, where there are no tokens", {}, {}, {}, "other"],
  ])(
    "are shared between %s: the oldest of who has the most gives way",
    async (_title, options, ann, bob, other) => {
      open({ ...options, sessions: { sessions: 3 } });
      const many = [];
      for (let index = 0; index < 5; index++) many.push((await listen(ann, "same")).listener);
      const { listener } = await listen(bob, other);
      expect(await whoHears([...many, listener])).toEqual([false, false, false, true, true, true]);
    },
  );

  it("count for both generations of the protocol together", async () => {
    open({ tokens, sessions: { sessions: 2 } });
    const session = await start(bearer("ann"));
    await send(
      { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "x://list" } },
      session,
    );
    const old = new Listener(await send(undefined, session));
    const { listener: middle } = await listen(bearer("ann"));
    const { listener: newcomer } = await listen(bearer("bob"));
    expect(await whoHears([old, middle, newcomer])).toEqual([false, true, true]);
    // The session still exists, and its client may listen again: the other stream of the session is closed.
    const again = new Listener(await send(undefined, session));
    expect(await whoHears([middle, newcomer, again])).toEqual([false, true, true]);
  });

  it("hear only of resources that the server has", async () => {
    open({});
    const { acknowledged } = await listen({}, "c", ["x://item/1", "file:///etc/passwd", "x://list"]);
    expect(acknowledged).toEqual({ resourceSubscriptions: ["x://item/1", "x://list"] });
  });
});

describe("resources/subscribe", () => {
  const subscribe = async (session: Record<string, string>, uri: string) => {
    const response = await send(
      { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri } },
      session,
    );
    const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
    return JSON.parse(String(lines[0]?.slice(6))) as {
      result?: object;
      error?: { code: number; message: string; data: { uri: string; data: { error_code: string } } };
    };
  };

  it("refuses a URI that no resource has with -32602, naming it", async () => {
    open({});
    const session = await start({});
    expect((await subscribe(session, "x://item/1")).result).toEqual({});
    const { error } = await subscribe(session, "file:///etc/passwd");
    expect(error).toMatchObject({
      code: -32_602,
      data: { uri: "file:///etc/passwd", success: false, data: { error_code: "NOT_FOUND" } },
    });
  });

  it("refuses a URI that is too long, and repeats only its beginning", async () => {
    open({});
    const { error } = await subscribe(await start({}), `x://item/${"1".repeat(5_000)}`);
    expect(error).toMatchObject({
      code: -32_602,
      message: "Cannot subscribe: the URI has 5009 characters",
      data: { data: { error_code: "VALIDATION_ERROR" } },
    });
    expect(error?.data.uri).toHaveLength(1_024);
  });

  it("refuses one too many with retry advice to unsubscribe", async () => {
    open({});
    const session = await start({});
    for (let id = 0; id < 100; id++) await subscribe(session, `x://item/${id}`);
    expect((await subscribe(session, "x://list")).error).toMatchObject({
      code: -32_603,
      message: "Cannot subscribe: this session has 100 subscriptions already",
      data: {
        data: {
          error_code: "RESOURCE_EXHAUSTED",
          remediation: "Unsubscribe from another resource with resources/unsubscribe, then subscribe again.",
        },
      },
    });
  });
});

it("a call cannot fill the memory with progress that nobody reads, and its answer is still sent", async () => {
  const own = createRegistry({
    name: "s",
    version: "1.0.0",
    tools: [
      defineTool({
        name: "chatty",
        version: "1.0.0",
        description: "Reports a lot",
        run: (_input, { progress }) => {
          for (let step = 0; step < 50_000; step++) progress(step, 50_000, "x".repeat(100));
          return { done: true };
        },
      }),
    ],
  });
  app = createHttpApp(own);
  const session = await start({});
  const params = { name: "chatty", arguments: {}, _meta: { progressToken: 1 } };
  const response = await send({ jsonrpc: "2.0", id: 2, method: "tools/call", params }, session);
  const text = await response.text();
  expect(text.match(/notifications\/progress/g)?.length).toBeLessThan(10_000);
  expect(text).toContain('"done":true');
});
