import type { Connection } from "@foundry-mcp/toolkit/client";

/** The data of a response. */
export type Data = Readonly<Record<string, unknown>>;

/** Calls a tool and fails unless it succeeds. */
export async function callTool(connection: Connection, tool: string, args: Data): Promise<Data> {
  const { success, error, data } = await connection.callTool(tool, args);
  if (!success) throw new Error(`${tool} ${JSON.stringify(args)}: ${error} ${JSON.stringify(data)}`);
  return data;
}

/**
 * Makes a call over each connection. When it returns, earlier calls over the same connection have reached the server.
 */
export async function settle(connections: readonly Connection[]): Promise<void> {
  await Promise.all(connections.map((each) => callTool(each, "spec", { action: "list" })));
}
