import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/**
 * The protocol of a client. The client sends either independent requests, or requests over a connection that begins
 * with `initialize`.
 */
export type Era = "2026-07-28" | "legacy";

/** A client connected to a server. */
export interface Connection {
  /** Requests the given number of rows. */
  call(count: number): Promise<unknown>;
  close(): Promise<void>;
}

/** A process that listens on the loopback interface. */
export interface Listener {
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts a server as a child process and connects to it over stdin and stdout. */
export function connectStdio(file: string, era: Era, env: NodeJS.ProcessEnv = {}): Promise<Connection> {
  return connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [toPath(file)],
      env: toServerEnv(env),
      // The server's stderr is ignored, because a pipe that is never read would fill up and stop the server.
      stderr: "ignore",
    }),
    era,
  );
}

/** Starts a server as a child process that listens on a free port. */
export async function listen(file: string, env: NodeJS.ProcessEnv = {}): Promise<Listener> {
  const child = fork(toPath(file), {
    env: toServerEnv(env),
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const port = await toPort(child, file);
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const exit = once(child, "exit");
      // The process is killed without a graceful shutdown, because a server that waits for its streams to end
      // would delay the bench.
      child.kill("SIGKILL");
      await exit;
    },
  };
}

/** Connects to a server over HTTP. */
export function connectHttp(url: string, era: Era): Promise<Connection> {
  return connect(new StreamableHTTPClientTransport(new URL(url)), era);
}

/** Connects to a server over any transport, with the same client for all measurements. */
export async function connect(transport: Transport, era: Era): Promise<Connection> {
  const mode = era === "legacy" ? era : { pin: era };
  const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    // The tools are never listed, because the client would then validate answers against output schemas, and these
    // schemas differ.
    call: (count) => client.callTool({ name: "look-up", arguments: { query: "parse", count } }),
    close: () => client.close(),
  };
}

function toPath(file: string): string {
  return fileURLToPath(new URL(`${file}.js`, import.meta.url));
}

/**
 * Returns an environment with only the named variables. The variables of the person who runs the bench must not
 * change a figure.
 */
function toServerEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const given = { PATH: process.env["PATH"], NODE_ENV: "production", ...env };
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

async function toPort(child: ChildProcess, file: string): Promise<number> {
  const ended = new AbortController();
  child.once("exit", () => ended.abort());
  try {
    const [told] = (await once(child, "message", { signal: ended.signal })) as [{ port: number }];
    return told.port;
  } catch (cause) {
    throw new Error(`Server ${file} ended before it listened.`, { cause });
  }
}
