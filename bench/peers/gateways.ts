import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Case, type MeasureOptions, measure } from "../measure.ts";
import type { Section } from "../report.ts";
import { type Connection, connectHttp, connectStdio } from "../toolkit/connections.ts";
import type { Peers } from "./install-peers.ts";

const baseline = "the server itself, over stdio";
const bare = resolve(".build/bench/toolkit/bare-stdio.js");
const cli = resolve("packages/foundry/dist/bin/foundry-cli.cjs");
const maxStartMs = 30_000;

/** Measures a call of one server on the bare SDK: directly, and over HTTP through gateways. */
export async function measureGateways(
  peers: Peers,
  home: string,
  options: Omit<MeasureOptions, "baseline">,
): Promise<readonly Section[]> {
  const proxy = peers.programOf("mcp-proxy", "mcp-proxy");
  const opened: { close(): Promise<void> }[] = [];
  const behind = async (name: string, toArgs: (port: number) => readonly string[]): Promise<Case> => {
    const port = await findPort();
    const gateway = await listen(process.execPath, toArgs(port), port, home);
    opened.unshift(gateway);
    const connection = await connectHttp(`http://127.0.0.1:${port}/mcp`, "legacy");
    opened.unshift(connection);
    return toCase(name, connection);
  };
  try {
    const direct = await connectStdio("bare-stdio", "legacy");
    opened.unshift(direct);
    const cases = [
      toCase(baseline, direct),
      await behind("foundry-cli gateway, over HTTP", (port) => [
        ...[cli, "gateway", "--port", String(port), "--", process.execPath, bare],
      ]),
    ];
    if (proxy !== undefined)
      cases.push(
        await behind("mcp-proxy, over HTTP", (port) => [
          ...[resolve(proxy), "--server", "stream", "--host", "127.0.0.1", "--port", String(port)],
          ...["--", process.execPath, bare],
        ]),
      );
    return [
      {
        title: "One call of a server behind a gateway",
        result: await measure(cases, { baseline, ...options }),
      },
    ];
  } finally {
    for (const each of opened) await each.close();
  }
}

function toCase(name: string, connection: Connection): Case {
  return {
    name,
    async run() {
      const answer = (await connection.call(1)) as { readonly isError?: boolean };
      if (answer.isError === true) throw new Error(`${name} failed: ${JSON.stringify(answer).slice(0, 300)}`);
      return answer;
    },
  };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function listen(
  command: string,
  args: readonly string[],
  port: number,
  home: string,
): Promise<{ close(): Promise<void> }> {
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = once(child, "close");
  const until = Date.now() + maxStartMs;
  while (!(await isListening(port))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${args[0]} did not listen.`);
    await pause(50);
  }
  return { close: () => stop(child, ended) };
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill("SIGKILL");
  await ended;
}

async function isListening(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1_000) });
    return true;
  } catch {
    return false;
  }
}
