import { openMemoryTransport } from "./memory-transport.ts";
import type { Json, RpcMessage } from "./rpc.ts";
import type { ZooEntry } from "./zoo-entry.ts";

/** A client that returns messages as they arrive. */
export interface ZooClient {
  request(method: string, params?: Json): Promise<RpcMessage>;
  /** Calls a tool. */
  call(tool: string, args?: unknown, requestId?: string): Promise<RpcMessage>;
  close(): Promise<void>;
}

/** Connects to a server of the zoo within this process, and performs the handshake. */
export async function openZooClient(entry: Pick<ZooEntry, "serve">): Promise<ZooClient> {
  const transport = openMemoryTransport(entry);
  const waiting = new Map<unknown, (message: RpcMessage) => void>();
  let nextId = 0;
  transport.onmessage = (message) => waiting.get((message as RpcMessage).id)?.(message as RpcMessage);
  await transport.start();
  const request = (method: string, params: Json = {}) => {
    nextId += 1;
    const id = nextId;
    const answer = new Promise<RpcMessage>((resolve) => waiting.set(id, resolve));
    void transport.send({ jsonrpc: "2.0", id, method, params } as never);
    return answer;
  };
  const clientInfo = { name: "zoo-client", version: "1.0.0" };
  await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  await transport.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    request,
    call: (name, args = {}, requestId = "req_zoo") =>
      request("tools/call", { name, arguments: args, _meta: { "foundry-mcp/request_id": requestId } }),
    close: () => transport.close(),
  };
}
