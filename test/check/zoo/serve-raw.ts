import type { Transport } from "@modelcontextprotocol/client";
import type { RawServer, RpcMessage } from "./rpc.ts";

/** Connects a raw server to a transport. */
export async function serveRaw(server: RawServer, transport: Transport): Promise<void> {
  transport.onmessage = (message) => {
    void server.handle(message as RpcMessage).then(async (answer) => {
      if (answer !== undefined) await transport.send(answer as never);
    });
  };
  await transport.start();
}
