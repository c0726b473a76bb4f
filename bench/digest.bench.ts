import type { Growth } from "./measure.ts";
import type { Bench } from "./report.ts";

/**
 * Measures digests: the time relative to canonicalizing the same text, the growth of the time with the size
 * of the text, and the memory.
 */
export const digest: Bench = {
  name: "digest",
  title: "digests of large documents",
  run: async (options) => {
    const { measureThroughput } = await import("./digest/throughput.ts");
    const { measureGrowth } = await import("./digest/growth.ts");
    const { measureMemory, mostTimes } = await import("./digest/memory.ts");
    const throughput = await measureThroughput(options);
    const growth = await measureGrowth(options);
    const memory = await measureMemory(options);
    if (!options.quick) {
      console.log("Time against the size of the text, exponents; 1 is linear");
      console.table(toClaims(growth.result));
    }
    console.log(`Memory of a process, in MB; claimed: at most ${mostTimes} times the document, beside idle`);
    console.table(memory.memory);
    return [...throughput, growth, memory];
  },
};

function toClaims({ sizes, rows }: Growth) {
  return rows
    .filter(({ name }) => name.startsWith("digest"))
    .map(({ name, exponent, linear }) => ({
      what: `${name}, ${sizes.join(", ")} MB`,
      exponent: exponent.toFixed(2),
      claim: "linear",
      verdict: linear ? "met" : "MISSED",
    }));
}
