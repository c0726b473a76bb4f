import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { listen } from "../toolkit/connections.ts";

/** A way to call the plain server. */
export interface Route {
  readonly name: string;
  call(chars: number): Promise<unknown>;
  close(): Promise<void>;
}

export const direct = "direct";
export const passThrough = "pass-through";
export const ours = "gateway";
export const mcpProxy = "mcp-proxy";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const plain = [process.execPath, at("plain-stdio.js")] as const;
const cli = at("../../../packages/foundry/bin/foundry-cli.cjs");
const proxy = at("../../../node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs");
/** The variables of the servers: none of the person who runs the bench, and a home folder without settings. */
export const env = { PATH: process.env["PATH"] ?? "", HOME: at("home"), NODE_ENV: "production" };
export const gatewayArgs = (...rest: readonly string[]) => [cli, "gateway", "--log-level", "error", ...rest];

/** Connects to the plain server over stdio, directly and through other processes. */
export async function openStdioRoutes(): Promise<readonly Route[]> {
  const toTransport = (args: readonly string[]) =>
    new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: "ignore" });
  return [
    await connect(direct, toTransport([plain[1]])),
    await connect(passThrough, toTransport([at("pass-through-stdio.js")])),
    await connect(ours, toTransport(gatewayArgs("--", ...plain))),
    await connect(`A/A ${passThrough}`, toTransport([at("pass-through-stdio.js")])),
  ];
}

/** Connects over HTTP; the processes between client and server call the server over stdio. */
export async function openHttpRoutes(): Promise<readonly Route[]> {
  const files = [
    [direct, "../gateway/plain-http"],
    [passThrough, "../gateway/pass-through-http"],
    [`A/A ${passThrough}`, "../gateway/pass-through-http"],
  ] as const;
  const routes: Route[] = [];
  for (const [name, file] of files) {
    const { origin, close } = await listen(file);
    routes.push(await connect(name, toHttp(`${origin}/mcp`), close));
  }
  for (const [name, argsOf] of [
    [ours, (port: number) => gatewayArgs("--port", String(port), "--", ...plain)],
    [mcpProxy, (port: number) => [proxy, "--port", String(port), "--host", "127.0.0.1", "--", ...plain]],
  ] as const) {
    const port = await findPort();
    const child = spawn(process.execPath, argsOf(port), { env, stdio: "ignore" });
    await untilListening(port);
    routes.push(await connect(name, toHttp(`http://127.0.0.1:${port}/mcp`), () => kill(child)));
  }
  return routes;
}

const toHttp = (url: string) => new StreamableHTTPClientTransport(new URL(url));

async function connect(name: string, transport: Transport, close = async () => {}): Promise<Route> {
  const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(transport);
  return {
    name,
    call: (chars) => client.callTool({ name: "text", arguments: { chars } }),
    async close() {
      await client.close();
      await close();
    },
  };
}

/** Ends a process, and waits for its end. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

async function findPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const socket = createConnection(port, "127.0.0.1");
      await once(socket, "connect");
      socket.destroy();
      return;
    } catch (thrown) {
      if (attempt === 100) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
