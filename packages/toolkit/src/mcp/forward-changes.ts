import type { Change } from "../registry/change-feed.ts";
import type { Registry } from "../registry/registry.ts";
import type { ServerConnection } from "./create-mcp-server.ts";

/** Notifies a client of changed tools, prompts and resources for as long as it is connected. */
export function forwardChanges(registry: Registry, connection: ServerConnection): void {
  const { server } = connection.mcp;
  const unsubscribe = registry.onChange((change) => {
    // A client that has disconnected or does not listen needs no notification.
    void send(connection, change)?.catch(() => {});
  });
  const previous = server.onclose;
  server.onclose = () => {
    unsubscribe();
    previous?.();
  };
}

function send(
  { mcp: { server }, era, subscriptions }: ServerConnection,
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
      // Since protocol version 2026-07-28, the transport stores the subscriptions and filters the notifications.
      return era === "modern" || subscriptions.has(change.uri)
        ? server.sendResourceUpdated({ uri: change.uri })
        : undefined;
  }
}
