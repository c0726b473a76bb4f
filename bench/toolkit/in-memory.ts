import { createMcpHost, createMcpServer } from "@foundry-mcp/toolkit/mcp";
import { InMemoryTransport, type McpServer } from "@modelcontextprotocol/server";
import { createBareServer } from "./bare-server.ts";
import { createBenchRegistry } from "./bench-registry.ts";
import type { Contender } from "./call-rounds.ts";
import { type Connection, connect } from "./connections.ts";
import { again, bare, toolkit } from "./tables.ts";

// The option is set explicitly, because in this process NODE_ENV does not indicate a production server.
const registry = createBenchRegistry({ validateOutput: false });

/**
 * Connects client and server in this process, so that only the work of the server and of the SDK on both sides is
 * measured.
 */
export async function connectInMemory(): Promise<Map<string, Connection>> {
  const host = createMcpHost(registry, { surface: "stdio" });
  const servers: readonly (readonly [string, McpServer])[] = [
    [bare, createBareServer()],
    [again(bare), createBareServer()],
    [toolkit, createMcpServer(host, { era: "legacy" }).mcp],
  ];
  const connections = new Map<string, Connection>();
  for (const [name, server] of servers) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    connections.set(name, await connect(near, "legacy"));
  }
  return connections;
}

/** Measures the same call without a protocol. */
export function inProcess(count: number): Contender[] {
  return [
    { name: "registry.call, no protocol", call: () => registry.call("look-up", { query: "parse", count }) },
  ];
}
