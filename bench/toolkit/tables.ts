import { toMeasurement } from "../measure.ts";
import type { Section } from "../report.ts";
import { type Contender, drive, type RoundOptions, type Timed, timeCalls } from "./call-rounds.ts";
import type { Connection } from "./connections.ts";
import { payloads } from "./lookup.ts";
import { checkSameAnswer } from "./same-answer.ts";

/** The names that carry a meaning; all others are shown as they are. */
export const bare = "bare SDK";
export const toolkit = "toolkit";
export const fastmcp = "fastmcp";
/** The row of a second server of the same kind: how far it strays is the noise. */
export const again = (name: string): string => `A/A ${name}`;

/** The largest ratio of time that we promise against the bare SDK: 0.90 of its calls per second. */
const leastShare = 0.9;
const targetAgainstBare = Number((1 / leastShare).toFixed(3));
/** Against fastmcp we promise to be no slower. */
const targetAgainstFastmcp = 1;

/** How a group of tables is made. */
export interface GroupOptions extends Omit<RoundOptions, "inFlight"> {
  /** How many calls each server answers before the first table: code that is new to V8 runs many times slower. */
  readonly firstCalls: number;
  /** Whether the toolkit's row has a target. */
  readonly hasTarget: boolean;
}

/** Times the servers of one transport at both sizes, with one and with fifty calls in flight. */
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

/** One table against the bare SDK and, where fastmcp took part, one against fastmcp from the same rounds. */
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
