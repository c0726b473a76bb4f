import { type RunOptions, toMeasurement } from "../measure.ts";
import type { Section } from "../report.ts";
import type { Timed } from "../toolkit/call-rounds.ts";
import { type PlacedSpec, placeSpec } from "./placed-spec.ts";
import type { Shape } from "./shapes.ts";
import { again, type Contender, pick, timeRounds, toSample } from "./time-rounds.ts";
import type { WarmStore } from "./warm-store.ts";
import type { Work } from "./works.ts";

/** Sizes in nodes. The last size is the maximum size of a spec. */
const sizes = [1_000, 10_000, 100_000];
const quickSizes = [1_000, 2_000, 4_000];
/** The size with which the other sizes are compared. */
export const baseSize = 1_000;

/**
 * The maximum exponent of the growth of the time with the size. With this exponent, a call on a hundred times as many
 * tasks takes at most 1.58 times as long.
 */
export const flat = 0.1;

/** A store that contains a spec of each size. */
export interface SizedSpecs {
  readonly store: WarmStore;
  readonly specs: ReadonlyMap<number, PlacedSpec>;
}

/** Adds specs of a shape to a store, one for each size. */
export async function placeSizes(
  store: WarmStore,
  shape: Shape,
  { quick = false }: RunOptions,
): Promise<SizedSpecs> {
  const specs = new Map<number, PlacedSpec>();
  for (const size of quick ? quickSizes : sizes)
    specs.set(size, await placeSpec(store, shape, size, `${shape.name.replaceAll(" ", "-")}-${size}`));
  return { store, specs };
}

/** The name of a row. */
export const rowOf = (store: string, size: number): string => `${store}, ${size.toLocaleString("en")} nodes`;

/** Measures one call at all sizes in a database, with all sizes in the same rounds. */
export async function measureGrowth(
  work: Work,
  database: SizedSpecs,
  { quick = false }: RunOptions,
): Promise<Section> {
  const contenders: Contender[] = [];
  for (const size of database.specs.keys()) contenders.push(await toContender(work, database, size));
  contenders.push(await toContender(work, database, baseSize, again));
  const timed = await timeRounds(contenders, quick ? { rounds: 3, warmUps: 1 } : { rounds: 40, warmUps: 10 });
  return {
    title: `${work.title}, as the spec grows`,
    result: toGrowing(timed, database.store.place.name, [...database.specs.keys()]),
  };
}

/**
 * Measures one call in files and in a database, one size at a time. The growth in the database is measured in
 * separate rounds, because a file of fifty megabytes that was just written slows down the following calls.
 */
export async function measureAgainst(
  work: Work,
  { database, files }: { readonly database: SizedSpecs; readonly files: SizedSpecs },
  { quick = false }: RunOptions,
): Promise<readonly Section[]> {
  const sections: Section[] = [];
  for (const size of files.specs.keys()) {
    const contenders = [
      await toContender(work, files, size),
      await toContender(work, database, size),
      await toContender(work, files, size, again),
    ];
    const timed = await timeRounds(
      contenders,
      quick ? { rounds: 3, warmUps: 1 } : { rounds: 30, warmUps: 5 },
    );
    sections.push({
      title: `${work.title}, against files`,
      result: toMeasurement(timed, rowOf(files.store.place.name, size)),
    });
  }
  return sections;
}

async function toContender(
  { calls, toCall }: Work,
  { store, specs }: SizedSpecs,
  size: number,
  rename = (name: string) => name,
): Promise<Contender> {
  const call = await toCall(store, specs.get(size) as PlacedSpec);
  return { name: rename(rowOf(store.place.name, size)), sample: toSample(call, calls) };
}

/** Returns the rows of all sizes, each with its maximum ratio to the smallest size, and the A/A row. */
export function toGrowing(timed: readonly Timed[], name: string, sizes: readonly number[]) {
  const base = rowOf(name, baseSize);
  const rows = sizes.flatMap((size) =>
    pick(timed, [rowOf(name, size)]).map((row) => ({
      ...row,
      ...(size === baseSize ? {} : { target: Number(((size / baseSize) ** flat).toFixed(3)) }),
    })),
  );
  return toMeasurement([...rows, ...pick(timed, [again(base)])], base);
}
