import { describe, expect, it } from "vitest";
import { boundStream, isEventStream } from "./bounded-stream.ts";

/** A source that enqueues events whether or not the reader reads, like the streams of the SDK. */
function createSource() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const state = { isCancelled: false, ends: 0 };
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => {
      state.isCancelled = true;
    },
  });
  const headers = { "content-type": "text/event-stream", "mcp-session-id": "s" };
  const bounded = boundStream(new Response(body, { headers }), {
    maxQueuedBytes: 100,
    onEnd: () => {
      state.ends += 1;
    },
  });
  const send = (text: string) => controller?.enqueue(new TextEncoder().encode(text));
  return { ...bounded, state, send, end: () => controller?.close() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a bounded stream", () => {
  it("forwards everything to a client that reads, with status and headers", async () => {
    const { response, send, end, state } = createSource();
    expect([response.status, response.headers.get("mcp-session-id")]).toEqual([200, "s"]);
    const text = response.text();
    for (let index = 0; index < 50; index++) {
      send("0123456789");
      await turn();
    }
    end();
    expect(await text).toBe("0123456789".repeat(50));
    expect(state).toEqual({ isCancelled: false, ends: 1 });
  });

  it("ends, and ends its source, when a client that does not read has too much waiting", async () => {
    const { response, send, state } = createSource();
    for (let index = 0; index < 10; index++) send("0123456789");
    await turn();
    expect(state).toEqual({ isCancelled: false, ends: 0 });
    send("one more");
    await turn();
    expect(state).toEqual({ isCancelled: true, ends: 1 });
    expect(await response.text()).toBe(`${"0123456789".repeat(10)}one more`);
  });

  it("forwards events of any size to a client that reads, and one to a client that does not", async () => {
    const long = "x".repeat(1_000);
    const read = createSource();
    const text = read.response.text();
    for (const _ of [1, 2]) {
      read.send(long);
      await turn();
    }
    read.end();
    expect(await text).toBe(long + long);
    const unread = createSource();
    unread.send(long);
    await turn();
    expect(unread.state).toEqual({ isCancelled: true, ends: 1 });
    expect(await unread.response.text()).toBe(long);
  });

  it("ends once, by its client or by its server", async () => {
    const left = createSource();
    await left.response.body?.cancel();
    left.close();
    await turn();
    expect(left.state).toEqual({ isCancelled: true, ends: 1 });
    const closed = createSource();
    closed.close();
    expect(await closed.response.text()).toBe("");
    expect(closed.state).toEqual({ isCancelled: true, ends: 1 });
  });

  it("is a response with a body of events", () => {
    const events = { headers: { "content-type": "text/event-stream" } };
    expect(isEventStream(new Response("", events))).toBe(true);
    expect(isEventStream(new Response(null, events))).toBe(false);
    expect(isEventStream(Response.json({}))).toBe(false);
  });
});
