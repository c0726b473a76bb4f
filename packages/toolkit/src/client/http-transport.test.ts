import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { boundedFetch } from "./http-transport.ts";

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  open.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const megabyte = Buffer.alloc(2 ** 20, "x");

/** Returns a handler that writes a chunk over and over. */
const pour =
  (type: string, chunk: Buffer, times = Number.POSITIVE_INFINITY): RequestListener =>
  (_, response) => {
    response.writeHead(200, { "content-type": type }).on("error", () => {});
    let left = times;
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left--;
        if (!response.write(chunk)) return response.once("drain", more);
      }
      if (left === 0) response.end();
      return undefined;
    };
    more();
  };

/** Reads a body; returns the number of megabytes before the end or the error, and the error. */
async function read({ body }: Response): Promise<{ megabytes: number; error?: string }> {
  let bytes = 0;
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
  } catch (error) {
    return { megabytes: Math.round(bytes / 2 ** 20), error: String(error) };
  }
  return { megabytes: Math.round(bytes / 2 ** 20) };
}

const tooLarge = "TooLarge: An answer is longer than 67,108,864 bytes";

describe("boundedFetch", () => {
  it("returns the response as the server sent it", async () => {
    const url = await serve((request, response) =>
      request.url === "/from"
        ? response.writeHead(307, { location: "/to" }).end()
        : response.writeHead(418, "teapot", { "x-a": "b" }).end("tea"),
    );
    const response = await boundedFetch(`${url}/from`);
    expect([response.status, response.statusText, response.headers.get("x-a"), response.url]).toEqual([
      418,
      "teapot",
      "b",
      `${url}/to`,
    ]);
    expect(await response.text()).toBe("tea");
  });

  it("returns a response without a body", async () => {
    const url = await serve((_, response) => response.writeHead(204).end());
    const response = await boundedFetch(url);
    expect([response.status, response.body]).toEqual([204, null]);
  });

  it("reads a body of 64 MiB, and fails on a longer one", async () => {
    expect(await read(await boundedFetch(await serve(pour("application/json", megabyte, 64))))).toEqual({
      megabytes: 64,
    });
    expect(await read(await boundedFetch(await serve(pour("application/json", megabyte))))).toEqual({
      megabytes: 64,
      error: tooLarge,
    });
  });

  it.each([
    ["\\n", "data: x\n\n"],
    ["\\r\\n", "data: x\r\n\r\n"],
  ])("reads any number of events, however they are chunked (%s)", async (_title, event) => {
    // The chunks never end at the end of an event.
    const events = Buffer.from(event.repeat(100_000));
    const shifted = Buffer.concat([events.subarray(1), events.subarray(0, 1)]);
    const url = await serve(pour("text/event-stream", shifted, Math.ceil((70 * 2 ** 20) / shifted.length)));
    const { megabytes, error } = await read(await boundedFetch(url));
    expect([megabytes >= 70, error]).toEqual([true, undefined]);
  });

  it("fails on an event without end", async () => {
    const url = await serve(pour("text/event-stream; charset=utf-8", megabyte));
    expect(await read(await boundedFetch(url))).toEqual({ megabytes: 64, error: tooLarge });
  });
});
