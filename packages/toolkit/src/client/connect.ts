import type { ConnectOptions, InProcessTarget, Target } from "./connect-target.ts";
import { type Connection, createConnection } from "./connection.ts";
import { openInProcessChannel } from "./in-process-channel.ts";
import { openMcpChannel } from "./mcp-channel.ts";
import { openTransport } from "./open-transport.ts";

/**
 * Connects to a server of any kind; its tools then answer with envelopes, whether it speaks the
 * contract or not. Throws a ContractError when there is no server to talk to.
 *
 * @example
 * await using connection = await connect("http://127.0.0.1:3000/mcp");
 * const envelope = await connection.callTool("task", { action: "list" });
 *
 * @example
 * const connection = await connect({ command: "npx", args: ["some-mcp-server"] });
 */
export async function connect(target: Target, options: ConnectOptions = {}): Promise<Connection> {
  const channel = isInProcess(target)
    ? openInProcessChannel(target)
    : await openMcpChannel(() => openTransport(target, options), options);
  return createConnection(channel, options);
}

function isInProcess(target: Target): target is InProcessTarget {
  return typeof target === "object" && "call" in target && typeof target.call === "function";
}
