import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Knows which calls still wait for the last byte of their answer. */
export interface AnswerWatch {
  /** Returns when every answer that was begun has left. */
  sent(): Promise<void>;
}

/** Watches the answers of a server, so that it can be closed without cutting one off. */
export function watchAnswers(server: Server): AnswerWatch {
  const open = new Set<ServerResponse>();
  let tell: (() => void) | undefined;
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!isCall(request)) return;
    open.add(response);
    response.once("close", () => {
      open.delete(response);
      if (open.size === 0) tell?.();
    });
  });
  return {
    sent: () =>
      open.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            tell = resolve;
          }),
  };
}

/** Streams that only bring news stay open for ever: no one waits for their end. */
function isCall({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && headers["mcp-method"] !== "subscriptions/listen";
}
