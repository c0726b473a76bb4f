import type { RunOptions } from "./measure.ts";
import type { Bench } from "./report.ts";

/** Measures a call through the toolkit, compared with the same handler on the bare SDK and on fastmcp. */
export const toolkit: Bench = {
  name: "toolkit",
  title: "a call of a tool, over every transport",
  run: async ({ quick = false }: RunOptions) => {
    const { inMemory, overHttp, overStdio } = await import("./toolkit/transports.ts");
    const { measureMemory } = await import("./toolkit/memory.ts");
    const { toCallsPerSecond } = await import("./toolkit/calls-per-second.ts");
    const options = quick
      ? { rounds: 8, sampleMs: 15, warmUpMs: 100, firstCalls: 600, hasTarget: true }
      : { rounds: 34, sampleMs: 50, warmUpMs: 400, firstCalls: 4_000, hasTarget: true };
    // Calls over stdio are measured in more rounds. These calls are short, so a temporary slowdown of the machine has
    // the largest effect on them.
    const closer = quick ? options : { ...options, rounds: 70 };
    const sections = [
      ...(await overStdio("2026-07-28", closer)),
      ...(await overStdio("legacy", closer)),
      ...(await overHttp(options)),
      ...(await inMemory({ ...options, hasTarget: false })),
    ];
    const memory = await measureMemory();
    console.log("Calls per second, and the share of the bare SDK's");
    console.table(toCallsPerSecond(sections));
    console.log("Calls offered in process, memory in MB");
    console.table(memory.memory);
    return [...sections, memory];
  },
};
