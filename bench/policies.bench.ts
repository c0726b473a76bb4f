import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { createFileArchive } from "@foundry-mcp/toolkit/archive";
import { growth, type RunOptions, toMeasurement } from "./measure.ts";
import { taskRows } from "./payloads.ts";
import type { Bench, Section } from "./report.ts";
import { drive, timeCalls } from "./toolkit/call-rounds.ts";
import { type Connection, connectStdio } from "./toolkit/connections.ts";
import { payloads } from "./toolkit/lookup.ts";
import { again, bare } from "./toolkit/tables.ts";

/**
 * Measures the overhead of the policies on a call when they are enabled, and the time of an answer that exceeds its
 * budget.
 */
export const policies: Bench = {
  name: "policies",
  title: "flag, role, tier, quota and budget on every call; an answer over its budget",
  run: async (options) => [...(await overStdio(options)), await overBudget(options)],
};

const off = "policies off";
const on = "policies on";
/** The maximum overhead of all policies together, as a share of the time of a call to the bare SDK. */
const mostShare = 0.15;

async function overStdio({ quick = false }: RunOptions): Promise<Section[]> {
  const rounds = quick
    ? { rounds: 8, sampleMs: 15, warmUpMs: 100 }
    : { rounds: 60, sampleMs: 50, warmUpMs: 400 };
  const files = [
    [off, "toolkit-stdio"],
    [on, "policies-stdio"],
    [bare, "bare-stdio"],
    [again(off), "toolkit-stdio"],
  ] as const;
  const connections = new Map<string, Connection>();
  const sections: Section[] = [];
  try {
    for (const [name, file] of files) connections.set(name, await connectStdio(file, "legacy"));
    for (const { name: size, count } of payloads) {
      const contenders = [...connections].map(([name, { call }]) => ({ name, call: () => call(count) }));
      for (const { call } of contenders) await drive(call, quick ? 600 : 4_000, 50);
      for (const inFlight of [1, 50]) {
        const timed = await timeCalls(contenders, { ...rounds, inFlight });
        const plain = toMeasurement(timed, off);
        const bareRatio = plain.rows.find(({ name }) => name === bare)?.ratio.median ?? 1;
        const target = Number((1 + mostShare * bareRatio).toFixed(3));
        const rows = timed.map((row) => (row.name === on ? { ...row, target } : row));
        sections.push({ title: `stdio, ${size}, ${inFlight} in flight`, result: toMeasurement(rows, off) });
      }
    }
    return sections;
  } finally {
    await Promise.allSettled([...connections.values()].map((connection) => connection.close()));
  }
}

const sizes = [100_000, 1_000_000, 10_000_000];

/**
 * Measures a complete call whose answer is reduced and archived, compared with reading and writing the same JSON once.
 */
async function overBudget(options: RunOptions): Promise<Section> {
  const folder = await mkdtemp(join(tmpdir(), "bench-archive-"));
  const archive = createFileArchive({ folder, maxBytes: 400_000_000 });
  try {
    const cases = (size: number) => {
      const data = taskRows(size);
      const text = JSON.stringify(data);
      let calls = 0;
      const tool = defineTool({
        name: "rows",
        version: "1.0.0",
        description: "More rows than anyone reads",
        readOnly: true,
        // Each answer is different, because the archive does not write content that it already has.
        run: () => ({ call: calls++, ...data }),
      });
      const registry = createRegistry({
        name: "bench",
        version: "1.0.0",
        tools: [tool],
        validateOutput: false,
        budget: { maxTokens: 20_000, archive },
      });
      const caller = { surface: "in-process", client: { name: "bench" } } as const;
      return [
        { name: "JSON.parse + JSON.stringify", run: () => JSON.stringify(JSON.parse(text)) },
        {
          name: "a call: budget + archive",
          run: () => registry.dispatch({ tool: "rows", args: {} }, caller),
          ...(size === 10_000_000 ? { target: 2 } : {}),
        },
      ];
    };
    const baseline = "JSON.parse + JSON.stringify";
    return {
      title: "An answer reduced to 20,000 tokens, its whole in the archive on disk",
      result: await growth(sizes, cases, { baseline, ...options }),
    };
  } finally {
    await archive.close();
    await rm(folder, { recursive: true, force: true });
  }
}
