import { type MeasureOptions, measure } from "../measure.ts";
import type { Section } from "../report.ts";
import { connectStdio } from "../toolkit/connections.ts";

const baseline = "a server on the bare SDK";

/** Measures one call of the same tool on servers over stdio, and calculates the calls per second. */
export async function measureServers(options: Omit<MeasureOptions, "baseline">): Promise<readonly Section[]> {
  const servers = [
    [baseline, "bare-stdio"],
    ["a server on the toolkit", "toolkit-stdio"],
    ["a server on fastmcp", "fastmcp-stdio"],
  ] as const;
  const opened = [];
  try {
    for (const [name, file] of servers) opened.push({ name, connection: await connectStdio(file, "legacy") });
    const cases = opened.map(({ name, connection }) => ({ name, run: () => connection.call(1) }));
    const result = await measure(cases, { baseline, ...options });
    const rows = result.rows.map(({ name, ms }) => ({ server: name, "calls per second": 1_000 / ms.median }));
    return [
      { title: "One call of a server over stdio", result },
      { title: "Calls per second, one after the other", result: { kind: "facts", rows } },
    ];
  } finally {
    for (const { connection } of opened) await connection.close();
  }
}
