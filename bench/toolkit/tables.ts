import { toMeasurement } from "../measure.ts";
import type { Section } from "../report.ts";
import { type Contender, drive, type RoundOptions, type Timed, timeCalls } from "./call-rounds.ts";
import type { Connection } from "./connections.ts";
import { payloads } from "./lookup.ts";
import { checkSameAnswer } from "./same-answer.ts";

/** The row names to which the code refers. All other names are only displayed. */
export const bare = "bare SDK";
export const toolkit = "toolkit";
export const fastmcp = "fastmcp";
/**
 * Returns the name of the row that measures a second server of the same kind. The difference between the two servers
 * is the noise.
 */
export const again = (name: string): string => `A/A ${name}`;

/**
 * The promised minimum number of calls per second, as a share of the calls per second of the bare SDK. The
 * maximum ratio of the times is the inverse of this share.
 */
const leastShare = 0.9;
const targetAgainstBare = Number((1 / leastShare).toFixed(3));
/** The maximum ratio of the toolkit's time to the time of fastmcp. The toolkit must not be slower than fastmcp. */
const targetAgainstFastmcp = 1;

/** Options of a group of tables. */
export interface GroupOptions extends Omit<RoundOptions, "inFlight"> {
  /**
   * The number of calls that each server answers before the first table. Code that V8 has not optimized yet is many
   * times slower.
   */
  readonly firstCalls: number;
  /** True if the toolkit's row has a target. */
  readonly hasTarget: boolean;
}

/** Measures the servers of one transport with both payload sizes, with one and with fifty calls in flight. */
export async function toSections(
  title: string,
  connections: ReadonlyMap<string, Connection>,
  options: GroupOptions,
  others: (count: number) => readonly Contender[] = () => [],
): Promise<Section[]> {
  const sections: Section[] = [];
  for (const { count } of payloads) {
    await checkSameAnswer(connections, count);
    for (const { call } of connections.values()) await drive(() => call(count), options.firstCalls, 50);
  }
  for (const { name: size, count } of payloads) {
    const contenders = [...connections].map(([name, { call }]) => ({ name, call: () => call(count) }));
    for (const inFlight of [1, 50]) {
      const timed = await timeCalls([...contenders, ...others(count)], { ...options, inFlight });
      const table = `${title}, ${size}, ${inFlight} in flight`;
      sections.push(...toTable(table, timed, options.hasTarget));
    }
  }
  return sections;
}

/**
 * Returns a table that compares all servers with the bare SDK. If fastmcp was measured too, also returns a
 * table that compares the toolkit with fastmcp in the same rounds.
 */
function toTable(title: string, timed: readonly Timed[], hasTarget: boolean): Section[] {
  const withTarget = (target: number) => (row: Timed) =>
    row.name === toolkit && hasTarget ? { ...row, target } : row;
  const pick = (baseline: string, others: readonly string[]) =>
    [baseline, ...others, again(baseline)].flatMap((name) => timed.filter((row) => row.name === name));
  const others = timed
    .map(({ name }) => name)
    .filter((name) => ![bare, again(bare), again(fastmcp)].includes(name));
  const againstBare = pick(bare, others).map(withTarget(targetAgainstBare));
  const againstFastmcp = pick(fastmcp, [toolkit]).map(withTarget(targetAgainstFastmcp));
  const sections: Section[] = [{ title, result: toMeasurement(againstBare, bare) }];
  if (againstFastmcp.some(({ name }) => name === fastmcp)) {
    sections.push({ title: `${title}, against fastmcp`, result: toMeasurement(againstFastmcp, fastmcp) });
  }
  return sections;
}
