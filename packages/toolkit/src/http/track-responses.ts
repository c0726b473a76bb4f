import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Knows which calls still wait for the last byte of their answer. */
export interface AnswerWatch {
  /** Returns when every answer that is awaited now has left; those to come are not waited for. */
  sent(): Promise<void>;
}

/** Watches the answers of a server, so that it can be closed without cutting one off. */
export function watchAnswers(server: Server): AnswerWatch {
  const open = new Set<Promise<void>>();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!isCall(request)) return;
    const left = new Promise<void>((resolve) => {
      response.once("close", () => {
        open.delete(left);
        resolve();
      });
    });
    open.add(left);
  });
  return {
    async sent() {
      await Promise.all(open);
    },
  };
}

/** Streams that only bring news stay open for ever: no one waits for their end. */
function isCall({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && headers["mcp-method"] !== "subscriptions/listen";
}
