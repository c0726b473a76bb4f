import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request to the fake model. */
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

/** Handles a request to a fake model. `modelBehaviours` has common handlers. */
export type ModelBehaviour = (request: ModelRequest, response: ServerResponse) => void;

/** A local HTTP server that answers like a model. */
export interface FakeModel {
  readonly baseUrl: string;
  /** All requests so far, in order. */
  readonly requests: readonly ModelRequest[];
  /** Resolves once no connection is open. Rejects if a connection stays open. */
  idle(): Promise<void>;
  /** Closes the server and every connection. */
  close(): Promise<void>;
}

/** The time that clients have to close their connections. */
const idleTimeoutMs = 5_000;

/** Starts a fake model with one behaviour for all requests. */
export async function startFakeModel(behaviour: ModelBehaviour): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const open = new Set<object>();
  const waiting = new Set<() => void>();
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    // Many tests abort their request, which is not an error here.
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
          idleTimeoutMs,
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
