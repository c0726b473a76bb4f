import type { Connection } from "@foundry-mcp/toolkit/client";

/** What a call was answered. */
export type Data = Readonly<Record<string, unknown>>;

/** Makes a call that must succeed. */
export async function ask(connection: Connection, tool: string, args: Data): Promise<Data> {
  const { success, error, data } = await connection.callTool(tool, args);
  if (!success) throw new Error(`${tool} ${JSON.stringify(args)}: ${error} ${JSON.stringify(data)}`);
  return data;
}

/** Makes a call through each of them, so that what was asked there before is under way. */
export async function settle(connections: readonly Connection[]): Promise<void> {
  await Promise.all(connections.map((each) => ask(each, "spec", { action: "list" })));
}
