import type { Server, ServerResponse } from "node:http";

/**
 * Ends connections whose client has stopped reading: a response of which nothing could be sent for a time. What
 * waits in it would stay in memory until the client goes away. A call that takes long to answer is not affected.
 */
export function dropStalledResponses(server: Server, stalledMs: number): void {
  server.on("request", (_request, response: ServerResponse) => {
    response.setTimeout(stalledMs, () => {
      if (response.writableLength > 0) response.destroy();
    });
  });
}
