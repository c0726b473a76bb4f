import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type RunOptions, toMeasurement } from "../measure.ts";
import type { Section } from "../report.ts";
import { env, gatewayArgs } from "./contenders.ts";

/** Start, memory and definitions of a gateway before many servers. */
export interface ManySection extends Section {
  /** The resident memory of the gateway's own process, in MiB, by the number of servers. */
  readonly memoryMiB: Readonly<Record<string, number>>;
  /** The tokens of the definitions that a client lists from ten servers with ten tools each. */
  readonly definitionTokens: { readonly all: number; readonly search: number };
}

const script = fileURLToPath(new URL("plain-stdio.js", import.meta.url));
/** The start with many servers may take this many times as long as the start with none. */
const mostStart = 1.5;

/** Measures a gateway before many servers, with the lists of an earlier start. */
export async function measureMany({ quick = false }: RunOptions): Promise<ManySection> {
  const folder = await mkdtemp(join(tmpdir(), "bench-gateway-"));
  const write = async (name: string, servers: number, section: object = {}) => {
    const entries = Array.from({ length: servers }, (_, index) => [
      `s${index}`,
      { command: process.execPath, args: [script] },
    ]);
    const unused = { command: process.execPath, args: [script] };
    const mcpServers = servers === 0 ? { none: unused } : Object.fromEntries(entries);
    const gateway = { ...section, ...(servers === 0 ? { servers: { none: { enabled: false } } } : {}) };
    const file = join(folder, name);
    await writeFile(file, JSON.stringify({ mcpServers, gateway }));
    return file;
  };
  try {
    const files = { none: await write("none.json", 0), twenty: await write("twenty.json", 20) };
    const samples = { none: [] as number[], twenty: [] as number[], again: [] as number[] };
    const memoryMiB: Record<string, number> = {};
    // The first start remembers the lists of the servers.
    memoryMiB["20"] = (await start(files.twenty, 5_000)).memoryMiB;
    memoryMiB["0"] = (await start(files.none, 1_000)).memoryMiB;
    for (let round = 0; round < (quick ? 2 : 8); round += 1) {
      samples.none.push((await start(files.none)).ms);
      samples.twenty.push((await start(files.twenty)).ms);
      samples.again.push((await start(files.none)).ms);
    }
    const rows = [
      { name: "no server", samples: samples.none },
      { name: "20 servers", samples: samples.twenty, target: mostStart },
      { name: "A/A no server", samples: samples.again },
    ];
    const all = await start(await write("all.json", 10), 3_000);
    const search = await start(await write("search.json", 10, { expose: "search" }), 3_000);
    const definitionTokens = { all: all.tokens, search: search.tokens };
    console.log(
      `memory (MiB): ${JSON.stringify(memoryMiB)}; definitions (tokens): ${JSON.stringify(definitionTokens)}`,
    );
    return {
      title: "start until tools/list is answered",
      result: toMeasurement(rows, "no server"),
      memoryMiB,
      definitionTokens,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Starts a gateway, lists its tools, waits, and ends it. */
async function start(config: string, waitMs = 0) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: gatewayArgs("--config", config),
    env: { ...env, XDG_CACHE_HOME: join(config, "..", "cache") },
    stderr: "ignore",
  });
  const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  const begin = performance.now();
  await client.connect(transport);
  await client.listTools();
  const ms = performance.now() - begin;
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  const { tools } = await client.listTools();
  const status = await readFile(`/proc/${transport.pid}/status`, "utf8").catch(() => "");
  const memoryMiB = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
  await client.close();
  const { estimateTokens } = await import("@foundry-mcp/contract/budget");
  return { ms, memoryMiB, tokens: estimateTokens(JSON.stringify(tools), Number.POSITIVE_INFINITY) };
}
