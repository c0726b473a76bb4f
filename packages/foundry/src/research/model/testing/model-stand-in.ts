import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the stand-in was asked. */
export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly stream: boolean;
    readonly temperature: number;
  };
}

/** What a stand-in does with a request; `modelBehaviours` has what models are known to do. */
export type ModelBehaviour = (request: ModelRequest, response: ServerResponse) => void;

/** A server on this machine that answers as a model would. */
export interface ModelStandIn {
  readonly baseUrl: string;
  /** What was asked, in its order. */
  readonly requests: readonly ModelRequest[];
  /** Resolves once no connection is open, and rejects where one stays open. */
  idle(): Promise<void>;
  /** Ends it, with every connection. */
  close(): Promise<void>;
}

/** How long a connection may take to be closed after nobody needs it. */
const patienceMs = 5_000;

/** Starts a stand-in that does the same with every request. */
export async function startModelStandIn(behaviour: ModelBehaviour): Promise<ModelStandIn> {
  const requests: ModelRequest[] = [];
  const open = new Set<object>();
  const waiting = new Set<() => void>();
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    // A client that gives up is what many tests are about.
    for (const each of [incoming, response]) each.on("error", () => {});
    incoming.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as ModelRequest["body"];
      const { method = "", url: path = "", headers } = incoming;
      const request = { method, path, headers, body };
      requests.push(request);
      behaviour(request, response);
    });
  });
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      if (open.size > 0) return;
      for (const tell of waiting) tell();
      waiting.clear();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    idle: () =>
      new Promise((resolve, reject) => {
        if (open.size === 0) return resolve();
        const timer = setTimeout(
          () => reject(new Error(`${open.size} connections were left open`)),
          patienceMs,
        );
        waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
