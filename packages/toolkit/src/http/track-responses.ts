import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Knows which calls have not been answered to the last byte. */
export interface ResponseTracker {
  /** Resolves when every response that is pending now has been sent; later ones are not waited for. */
  sent(): Promise<void>;
}

/** Tracks the responses of a server, so that it can close without truncating one. */
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

/** False for streams of notifications: they stay open for ever, so nobody can wait for their end. */
function isCall({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && headers["mcp-method"] !== "subscriptions/listen";
}
