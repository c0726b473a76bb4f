import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { dropStalledResponses } from "./drop-stalled.ts";

let answer: (response: ServerResponse) => void = () => {};
const server = createServer((_request, response) => answer(response));
dropStalledResponses(server, 100);
afterEach(() => server.close());

async function open() {
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const asked = new Promise<ServerResponse>((resolve) => {
    answer = resolve;
  });
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return { socket, response: await asked };
}

test("a response that nobody reads is dropped, and one that takes long is not", async () => {
  const slow = await open();
  const stalled = await open();
  stalled.socket.pause();
  // Write more than the buffers of both sides can store.
  stalled.response.write(Buffer.alloc(32 * 1024 * 1024));
  await once(stalled.response, "close");
  expect(stalled.response.writableFinished).toBe(false);
  expect(slow.response.destroyed).toBe(false);
  slow.response.end("late");
  let text = "";
  for await (const chunk of slow.socket.setEncoding("utf8")) {
    text += chunk;
    if (text.includes("late")) break;
  }
  stalled.socket.destroy();
  slow.socket.destroy();
});
