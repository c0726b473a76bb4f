import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Tracks the calls whose responses have not been sent completely. */
export interface ResponseTracker {
  /** Resolves when every response that is pending now has been sent; responses that start later are not awaited. */
  sent(): Promise<void>;
}

/** Tracks the responses of a server, so that the server can close without truncating a response. */
export function trackResponses(server: Server): ResponseTracker {
  const pending = new Set<Promise<void>>();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!isCall(request)) return;
    const closed = new Promise<void>((resolve) => {
      response.once("close", () => {
        pending.delete(closed);
        resolve();
      });
    });
    pending.add(closed);
  });
  return {
    async sent() {
      await Promise.all(pending);
    },
  };
}

/** True for a call; false for a stream of notifications, which stays open for ever and cannot be awaited. */
function isCall({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && headers["mcp-method"] !== "subscriptions/listen";
}
