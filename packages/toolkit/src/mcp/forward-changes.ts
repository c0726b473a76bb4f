import type { Change } from "../registry/change-feed.ts";
import type { Registry } from "../registry/registry.ts";
import type { Connection } from "./create-mcp-server.ts";

/** Tells a client what has changed of the offer, for as long as it is connected. */
export function forwardChanges(registry: Registry, connection: Connection): void {
  const { server } = connection.mcp;
  const stop = registry.onChange((change) => {
    // A client that is gone or does not listen misses nothing that it could have used.
    void send(connection, change)?.catch(() => {});
  });
  const before = server.onclose;
  server.onclose = () => {
    stop();
    before?.();
  };
}

function send(
  { mcp: { server }, era, subscriptions }: Connection,
  change: Change,
): Promise<void> | undefined {
  const { tools, prompts, resources } = server.getCapabilities();
  switch (change.kind) {
    case "tools":
      return tools && server.sendToolListChanged();
    case "prompts":
      return prompts && server.sendPromptListChanged();
    case "resources":
      return resources && server.sendResourceListChanged();
    case "resource":
      // Since 2026-07-28 the transport keeps the subscriptions and lets pass what was asked for.
      return era === "modern" || subscriptions.has(change.uri)
        ? server.sendResourceUpdated({ uri: change.uri })
        : undefined;
  }
}
