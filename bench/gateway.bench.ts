import { measureBeside } from "./gateway/beside-bad.ts";
import { openHttpRoutes, openStdioRoutes, ours, passThrough, type Route } from "./gateway/contenders.ts";
import { measureMany } from "./gateway/many-upstreams.ts";
import { type RunOptions, toMeasurement } from "./measure.ts";
import type { Bench, Section } from "./report.ts";
import { timeCalls } from "./toolkit/call-rounds.ts";

/**
 * Measures calls of a server directly, through an empty gateway on the same SDK, through this gateway and through
 * mcp-proxy; and a gateway before many servers.
 */
export const gateway: Bench = {
  name: "gateway",
  title: "calls through gateways; start, memory and definitions with many servers",
  run: async (options) => [
    ...(await measureRoutes("stdio", await openStdioRoutes(), options)),
    ...(await measureRoutes("HTTP", await openHttpRoutes(), options)),
    await measureMany(options),
    await measureBeside(options),
  ],
};

/** The time of a call, as a multiple of an empty pass-through, at a throughput of 0.9 of the pass-through. */
const mostRatio = 1.111;
const sizes = [
  ["100 B", 100],
  ["10 kB", 10_000],
] as const;

async function measureRoutes(
  title: string,
  routes: readonly Route[],
  { quick = false }: RunOptions,
): Promise<Section[]> {
  const rounds = quick
    ? { rounds: 4, sampleMs: 15, warmUpMs: 100 }
    : { rounds: 16, sampleMs: 40, warmUpMs: 300 };
  const sections: Section[] = [];
  try {
    for (const [size, chars] of sizes) {
      const contenders = routes.map(({ name, call }) => ({ name, call: () => call(chars) }));
      for (const inFlight of [1, 50]) {
        const timed = await timeCalls(contenders, { ...rounds, inFlight });
        const rows = timed.map((row) => (row.name === ours ? { ...row, target: mostRatio } : row));
        sections.push({
          title: `${title}, ${size}, ${inFlight} in flight`,
          result: toMeasurement(rows, passThrough),
        });
      }
    }
    return sections;
  } finally {
    await Promise.allSettled(routes.map((route) => route.close()));
  }
}
