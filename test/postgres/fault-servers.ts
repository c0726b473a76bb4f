import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { type Connection, connect } from "@foundry-mcp/toolkit/client";
import { cliScript, plainEnv } from "../specs/programs.ts";

/** Every response and every output line of the programs under test, to check them for leaked secrets. */
export const outputs: string[] = [];

/** Options of a server. */
export interface ServerOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** An HTTP server on a database whose output is recorded. */
export interface FaultServer {
  readonly child: ChildProcess;
  /** Opens a new client connection. */
  connect(): Promise<Caller>;
  /** Returns the status of `/readyz`, and its checks by name. */
  ready(): Promise<readonly [number, Readonly<Record<string, boolean>>]>;
  close(): Promise<void>;
}

/** One client of a server. */
export interface Caller {
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Envelope>;
}

/** Starts `foundry-cli serve` in a new folder with debug logs. */
export async function openFaultServer({ args = [], env = {} }: ServerOptions): Promise<FaultServer> {
  const cwd = await mkdtemp(join(tmpdir(), "faults-"));
  const fixed = ["serve", "--port", "0", "--log-level", "debug", "--tools", "all", "--history", "100000"];
  const child = spawn(process.execPath, [cliScript, ...fixed, ...args], {
    cwd,
    env: { ...plainEnv(cwd), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const connections: Connection[] = [];
  const base = await whenServing(child);
  return {
    child,
    async connect() {
      const connection = await connect(`${base}/mcp`);
      connections.push(connection);
      return {
        async call(tool, args) {
          const envelope = await connection.callTool(tool, args);
          outputs.push(JSON.stringify(envelope));
          return envelope;
        },
      };
    },
    async ready() {
      const response = await fetch(`${base}/readyz`);
      const text = await response.text();
      outputs.push(text);
      const { data } = JSON.parse(text) as { data: Checked & { details?: Checked } };
      const { checks = [] } = data.details ?? data;
      return [response.status, Object.fromEntries(checks.map(({ name, ok }) => [name, ok]))];
    },
    async close() {
      for (const connection of connections) await connection.close().catch(() => {});
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      await rm(cwd, { recursive: true, force: true });
    },
  };
}

interface Checked {
  readonly checks?: readonly { readonly name: string; readonly ok: boolean }[];
}

/** Waits until a server prints its address. */
function whenServing(child: ChildProcess): Promise<string> {
  let said = "";
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        outputs.push(chunk.toString());
        said += chunk.toString();
        const found = /MCP at (\S+)\/mcp/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
    child.once("exit", (code) => reject(new Error(`serve ended with ${code}: ${said}`)));
  });
}
