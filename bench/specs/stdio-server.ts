import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Arguments } from "./warm-server.ts";

/** `foundry-mcp` as a process, with a connected client. */
export interface StdioServer {
  call(tool: string, args: Arguments): Promise<unknown>;
  /** Returns the definitions of its tools as they are sent. */
  listTools(): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

const program = fileURLToPath(new URL("../../../packages/foundry/dist/cli/foundry-mcp.js", import.meta.url));

/** Starts `foundry-mcp` in a workspace. */
export async function openStdioServer(folder: string, options: readonly string[] = []): Promise<StdioServer> {
  const client = new Client(
    { name: "bench", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, ...options],
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", NODE_ENV: "production", XDG_CONFIG_HOME: folder },
      // The server's stderr is ignored, because a pipe that is never read would fill up and stop the server.
      stderr: "ignore",
    }),
  );
  return {
    async call(name, args) {
      const result = await client.callTool({ name, arguments: { ...args } });
      if (result.isError) throw new Error(`A call failed: ${JSON.stringify(result).slice(0, 400)}`);
      return result;
    },
    listTools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  };
}
