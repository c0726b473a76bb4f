import type { Server, ServerResponse } from "node:http";

/**
 * Ends a connection whose client has stopped reading: no byte of a response could be sent for some time. If
 * the connection were not ended, the unsent data would stay in memory until the client disconnects. A call
 * that takes long to answer is not affected.
 */
export function dropStalledResponses(server: Server, stalledMs: number): void {
  server.on("request", (_request, response: ServerResponse) => {
    response.setTimeout(stalledMs, () => {
      if (response.writableLength > 0) response.destroy();
    });
  });
}
