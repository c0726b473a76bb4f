import type { Measurement } from "../measure.ts";
import type { Section } from "../report.ts";
import { toExponent } from "../statistics.ts";
import type { CostRow } from "./costs.ts";
import { flat } from "./growth.ts";
import type { ThroughputSection } from "./throughput.ts";

/**
 * Prints the results that the tables of times do not contain: the growth of calls, calls per second, and the cost of
 * a call.
 */
export function printTables(
  sections: readonly Section[],
  throughput: readonly ThroughputSection[],
  costs: readonly CostRow[],
): void {
  console.log("Time on PostgreSQL from 1,000 to 100,000 nodes, exponents; 0 is flat, 1 is linear");
  console.table(sections.flatMap(toGrowthRow));
  for (const { title, throughput: rows } of throughput) {
    console.log(`${title}: calls per second; CPU in milliseconds for each call`);
    console.table(rows.map((row) => withDigits(row)));
  }
  console.log("What one call costs; CPU in milliseconds");
  console.table(costs.map((row) => withDigits(row)));
}

/** Returns the row of a growth table. A table is a growth table if its rows have targets. */
function toGrowthRow({ title, result }: Section) {
  const { rows, noise } = result as Measurement;
  const sized = rows.filter(
    ({ name, target }, index) => index === 0 || (target !== undefined && name !== ""),
  );
  const last = sized.at(-1);
  if (last?.target === undefined) return [];
  const exponent = toExponent(
    sized.map(({ name }) => Number(/([\d,]+) nodes$/.exec(name)?.[1]?.replaceAll(",", ""))),
    sized.map(({ ms }) => ms.median),
  );
  return [
    {
      what: title,
      exponent: exponent.toFixed(2),
      claim: `at most ${flat}`,
      verdict: exponent <= flat ? "met" : "MISSED",
      // The column `largest` shows whether the time at the largest size can be distinguished from the time at the
      // smallest size. This condition is stricter than the target.
      largest: last.claim === "no claim" ? "within the noise" : last.claim,
      noise: `${noise.low.toFixed(2)} – ${noise.high.toFixed(2)}`,
    },
  ];
}

function withDigits(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(3)) : value,
    ]),
  );
}
