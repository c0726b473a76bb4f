import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type RunOptions, toMeasurement } from "../measure.ts";
import type { Section } from "../report.ts";
import { env, gatewayArgs } from "./contenders.ts";

const plain = fileURLToPath(new URL("plain-stdio.js", import.meta.url));
const fixture = fileURLToPath(
  new URL("../../../packages/foundry/src/gateway/fixtures/upstream.mjs", import.meta.url),
);
/** Ways to be bad that cost the machine itself little, because two cores run everything. */
const ways = [
  ...[
    "exits-at-start",
    "exits-mid-call",
    "never-answers",
    "answers-late",
    "wrong-id",
    "duplicate-id",
    "half-line",
  ],
  ...[
    "no-number",
    "no-result",
    "null-result",
    "no-content",
    "bad-image",
    "lying-schema",
    "error-with-success",
  ],
  ...["error-404", "protocol-error", "secret-in-error", "closes-stdout", "noise-first", "refuses-version"],
];

/** Times calls of a server alone, and beside bad servers that are called all the time; a sample is the 99th percentile. */
export async function measureBeside({ quick = false }: RunOptions): Promise<Section> {
  const folder = await mkdtemp(join(tmpdir(), "bench-beside-"));
  const command = process.execPath;
  const good = { command, args: [plain] };
  const bad = Object.fromEntries(ways.map((way) => [way, { command, args: [fixture, way] }]));
  const open = async (name: string, mcpServers: object) => {
    const file = join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify({ mcpServers: { good, other: good, ...mcpServers } }));
    const client = new Client(
      { name: "bench", version: "1.0.0" },
      { versionNegotiation: { mode: "legacy" } },
    );
    await client.connect(
      new StdioClientTransport({
        command,
        args: gatewayArgs("--config", file, "--log-level", "silent"),
        env: { ...env, XDG_CACHE_HOME: folder },
        stderr: "ignore",
      }),
    );
    await client.listTools();
    return client;
  };
  const p99 = async (client: Client) => {
    const times: number[] = [];
    for (let call = 0; call < 200; call += 1) {
      const begin = performance.now();
      await client.callTool({ name: "good__text", arguments: { chars: 100 } });
      times.push(performance.now() - begin);
    }
    return times.toSorted((one, other) => one - other)[197] ?? 0;
  };
  const clients = [await open("alone", {}), await open("beside", bad), await open("again", {})] as const;
  const samples: [number[], number[], number[]] = [[], [], []];
  let isOver = false;
  const callBad = async (way: string) => {
    while (!isOver) {
      await clients[1].callTool({ name: `${way}__change`, arguments: {} }).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  try {
    for (const client of clients) await p99(client);
    void Promise.all(ways.map(callBad));
    for (let round = 0; round < (quick ? 2 : 12); round += 1)
      for (const [index, client] of clients.entries()) samples[index]?.push(await p99(client));
    const rows = ["alone", `beside ${ways.length} bad servers`, "A/A alone"].map((name, index) => ({
      name,
      samples: samples[index] ?? [],
    }));
    return { title: "99th percentile of 200 calls of a good server", result: toMeasurement(rows, "alone") };
  } finally {
    isOver = true;
    await Promise.allSettled(clients.map((client) => client.close()));
    await rm(folder, { recursive: true, force: true });
  }
}
