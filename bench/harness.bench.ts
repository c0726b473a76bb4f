import { type Case, growth } from "./measure.ts";
import type { Bench } from "./report.ts";
import { createRandom } from "./statistics.ts";

/**
 * Demonstrates the harness. The bench compares two sorts, whose time grows with n log n, with a linear copy of the
 * same numbers.
 */
export const harness: Bench = {
  name: "harness",
  title: "sorting numbers, against copying them",
  run: async (options) => [
    {
      title: "Random numbers",
      result: await growth([64, 512, 4096, 32768], makeCases, { baseline: "copy", ...options }),
    },
  ],
};

function makeCases(size: number): Case[] {
  const random = createRandom(size);
  const numbers = Float64Array.from({ length: size }, random);
  // All cases write to one buffer. With a new large array for each call, the bench would measure the garbage
  // collector.
  const scratch = new Float64Array(size);
  const copy = () => {
    for (let i = 0; i < size; i++) scratch[i] = numbers[i] ?? 0;
    return scratch;
  };
  return [
    { name: "copy", run: copy },
    { name: "copy, sort", run: () => copy().sort() },
    { name: "copy, sort by comparing", run: () => copy().sort((a, b) => a - b) },
  ];
}
