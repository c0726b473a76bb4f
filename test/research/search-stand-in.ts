import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on this machine that is asked over HTTP. */
export interface SearchStandIn {
  readonly url: string;
  /** What was asked, in its order: the path with its query. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Starts a server that answers searches as SearXNG does, and gives pages to whoever asks for anything else. */
export async function startSearchStandIn(
  results: (url: string) => readonly object[] | Promise<readonly object[]>,
): Promise<SearchStandIn> {
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
