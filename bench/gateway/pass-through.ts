import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Server } from "@modelcontextprotocol/server";

/** Connects to the plain server, and returns servers of the bare SDK that pass every call on. */
export async function openPassThrough(): Promise<() => Server> {
  const script = fileURLToPath(new URL("plain-stdio.js", import.meta.url));
  const client = new Client({ name: "pass-through", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [script], stderr: "ignore" }),
  );
  return () => {
    const server = new Server({ name: "pass-through", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => client.listTools() as never);
    server.setRequestHandler("tools/call", ({ params }) => client.callTool(params) as never);
    return server;
  };
}
