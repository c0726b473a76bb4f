import { measure, type RunOptions, toMeasurement } from "../measure.ts";
import type { Section } from "../report.ts";
import { drive, timeCalls } from "../toolkit/call-rounds.ts";
import { sampleSpec, specIdOf, taskIdOf, tasksOf, writeSpec } from "./sample-specs.ts";
import type { StdioServer } from "./stdio-server.ts";
import type { Arguments, WarmServer } from "./warm-server.ts";

/** Sizes in nodes. The last size is the maximum size of a spec. */
export const readSizes = [100, 1_000, 10_000, 100_000] as const;
const baseSize = 1_000;
/**
 * The maximum exponent of the growth of a read's time with the size. With this exponent, a read of a spec with a
 * hundred times as many tasks takes at most 1.58 times as long.
 */
const mostExponent = 0.1;

const name = (size: number) => `${size.toLocaleString("en")} nodes`;

/** Writes the specs for the reads. */
export async function writeReadSpecs(specs: string): Promise<void> {
  for (const size of readSizes) await writeSpec(specs, specIdOf(size), sampleSpec(size));
}

/**
 * Measures each read in a separate table. A spec of 1,000 nodes is compared with other sizes, all in the same rounds.
 */
export async function measureReads(server: WarmServer, options: RunOptions): Promise<Section[]> {
  const sections: Section[] = [];
  for (const [title, toArguments] of Object.entries(await toReads(server))) {
    const cases = readSizes.map((size) => ({
      name: name(size),
      run: () => server.call("task", toArguments(size)),
      ...targetOf(size),
    }));
    sections.push({
      title: `In process: ${title}`,
      result: await measure(cases, { baseline: name(baseSize), ...options }),
    });
  }
  return sections;
}

/** Measures the same reads over stdin and stdout of one server process. */
export async function measureStdio(server: StdioServer, { quick = false }: RunOptions): Promise<Section[]> {
  const rounds = quick
    ? { rounds: 8, sampleMs: 10, warmUpMs: 50, inFlight: 1 }
    : { rounds: 40, sampleMs: 20, warmUpMs: 300, inFlight: 1 };
  const reads: Readonly<Record<string, (size: number) => Arguments>> = {
    next: (size) => ({ action: "next", spec_id: specIdOf(size) }),
    "query, a page of 25": (size) => ({ action: "query", spec_id: specIdOf(size) }),
  };
  const sections: Section[] = [];
  for (const [title, toArguments] of Object.entries(reads)) {
    const contenders = [...readSizes, undefined].map((size) => ({
      name: size === undefined ? `A/A ${name(baseSize)}` : name(size),
      call: () => server.call("task", toArguments(size ?? baseSize)),
      ...targetOf(size),
    }));
    for (const { call } of contenders) await drive(call, quick ? 50 : 500, 1);
    const timed = await timeCalls(contenders, rounds);
    const rows = timed.map((row) => ({
      ...row,
      ...targetOf(readSizes.find((size) => name(size) === row.name)),
    }));
    sections.push({ title: `stdio: ${title}`, result: toMeasurement(rows, name(baseSize)) });
  }
  return sections;
}

function targetOf(size: number | undefined): { readonly target?: number } {
  return size === undefined || size <= baseSize
    ? {}
    : { target: Number(((size / baseSize) ** mostExponent).toFixed(3)) };
}

async function toReads(server: WarmServer): Promise<Readonly<Record<string, (size: number) => Arguments>>> {
  const cursors = new Map<number, string>();
  for (const size of readSizes) cursors.set(size, await cursorInTheMiddle(server, size));
  const of = (action: string, more: (size: number) => Arguments = () => ({})) => {
    return (size: number) => ({ action, spec_id: specIdOf(size), ...more(size) });
  };
  return {
    next: of("next"),
    info: of("info", (size) => ({ task_id: taskIdOf(size, Math.floor(tasksOf(size) / 2)) })),
    "prepare, the next task with its context": of("prepare"),
    "query, a page of 25": of("query"),
    "query, a page of 25 behind a cursor": of("query", (size) => ({ cursor: cursors.get(size) })),
    "query, a page of 25 with status pending": of("query", () => ({ status: "pending" })),
    "hierarchy, a page of 100 (fewer at 100 nodes)": of("hierarchy"),
    "list-blocked, a page of 25 (fewer at 100 nodes)": of("list-blocked"),
    progress: of("progress"),
  };
}

/** Returns the cursor of a page far into the list, which is after a third of the list or after sixty pages. */
async function cursorInTheMiddle({ call }: WarmServer, size: number): Promise<string> {
  let cursor: string | undefined;
  const limit = Math.min(500, Math.floor(size / 4));
  for (let page = 0; page < Math.max(1, Math.min(60, size / 3 / limit)); page++) {
    const { meta } = await call("task", { action: "query", spec_id: specIdOf(size), limit, cursor });
    cursor = meta.pagination?.cursor ?? undefined;
  }
  if (cursor === undefined) throw new Error(`The spec of ${size} nodes has one page only.`);
  return cursor;
}
