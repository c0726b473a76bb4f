// This program makes far more calls than a registry accepts at once, and reports the memory that these calls need.
// Run it with --expose-gc: node --expose-gc memory-probe.js <calls> <calls per tick>
import { createRegistry, defineTool } from "@foundry-mcp/toolkit";

/** Bytes in use at a point in time. */
export interface Bytes {
  readonly rss: number;
  readonly heap: number;
}

/** One wave of calls, from the first call to the last answer. */
export interface Wave {
  readonly ran: number;
  readonly waited: number;
  readonly refused: number;
  readonly ms: number;
  readonly before: Bytes;
  /** The memory after all calls were made and before garbage collection. */
  readonly peak: Bytes;
  /** The memory while the accepted calls run or wait. */
  readonly held: Bytes;
  readonly after: Bytes;
}

const waves = 3;
const [offered = 0, perTick = 0] = process.argv.slice(2).map(Number);

let gate = Promise.resolve();
const registry = createRegistry({
  name: "bench",
  version: "1.0.0",
  tools: [
    defineTool({
      name: "wait",
      version: "1.0.0",
      description: "Waits until it is told to go on",
      run: async () => {
        await gate;
        return {};
      },
    }),
  ],
});

const told: Wave[] = [];
for (let wave = 0; wave < waves; wave++) told.push(await offer());
process.stdout.write(JSON.stringify(told));

async function offer(): Promise<Wave> {
  let open = (): void => {};
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const counts = new Map<string, number>();
  const before = await settle();
  const start = performance.now();
  let answered = 0;
  let tellAll = (): void => {};
  const all = new Promise<void>((resolve) => {
    tellAll = resolve;
  });
  for (let i = 1; i <= offered; i++) {
    // Answers are counted and dropped, so that only the registry's own memory is measured.
    void registry.call("wait").then(({ success, data }) => {
      const key = success ? "success" : String(data["error_code"]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      answered += 1;
      if (answered === offered) tellAll();
    });
    if (i % perTick === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const peak = toBytes();
  await new Promise((resolve) => setImmediate(resolve));
  const ms = performance.now() - start;
  const { running, waiting } = registry.load;
  const held = await settle();
  open();
  await all;
  const unexpected = [...counts.keys()].filter((key) => key !== "success" && key !== "RESOURCE_BUSY");
  if (unexpected.length > 0) throw new Error(`Calls failed with ${unexpected.join(", ")}.`);
  const refused = counts.get("RESOURCE_BUSY") ?? 0;
  return { ran: running, waited: waiting, refused, ms, before, peak, held, after: await settle() };
}

async function settle(): Promise<Bytes> {
  if (globalThis.gc === undefined) throw new Error("Cannot collect garbage: run with --expose-gc.");
  await new Promise((resolve) => setTimeout(resolve, 20));
  globalThis.gc();
  return toBytes();
}

function toBytes(): Bytes {
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heap: heapUsed };
}
