import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A local search server. */
export interface FakeSearch {
  readonly url: string;
  /** All requests so far, in order. A request is the path with its query. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Starts a server that answers searches like SearXNG, and any other request with a page. */
export async function startFakeSearch(
  results: (url: string) => readonly object[] | Promise<readonly object[]>,
): Promise<FakeSearch> {
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { url = "" } = request;
    requests.push(url);
    if (url.startsWith("/search?")) void answer(response);
    else
      response
        .writeHead(200, { "content-type": "text/plain" })
        .end("A page that only this machine may read.");
  });
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = async (response: ServerResponse) => {
    const text = JSON.stringify({ results: await results(base()) });
    response.writeHead(200, { "content-type": "application/json" }).end(text);
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: base(),
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
