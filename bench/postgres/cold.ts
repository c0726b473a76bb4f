import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { type RunOptions, toMeasurement } from "../measure.ts";
import type { Section } from "../report.ts";
import { baseSize, rowOf, type SizedSpecs, toGrowing } from "./growth.ts";
import { again, type Contender, pick, timeRounds, toSample } from "./time-rounds.ts";
import type { WarmStore } from "./warm-store.ts";

const unseen = "PostgreSQL, not seen before";
const followed = "PostgreSQL, one change by another server";
/** Of a file nobody can tell what has changed in it: both come to the same. */
const touched = "file, not seen before, or changed";

/** The servers that read; those of the specs are the others, which change them. */
export interface Readers {
  readonly database: WarmStore;
  readonly files: WarmStore;
}

/** The first `next` on a server that does not know the spec, or knows how it was before one change. */
export async function measureCold(
  readers: Readers,
  { store: writer, specs }: SizedSpecs,
  { quick = false }: RunOptions,
): Promise<readonly Section[]> {
  const contenders = [...specs].flatMap(([size, { id, toComplete }]): Contender[] => {
    const toNext = (store: WarmStore) => () => store.call("task", { action: "next", spec_id: id });
    const next = toNext(readers.database);
    const path = join(readers.files.place.folder, "specs", "active", `${id}.json`);
    let time = 1_700_000_000;
    const change = async () => {
      // It knows the spec as it was before.
      await next();
      await writer.call("task", toComplete());
    };
    const follow = { name: rowOf(followed, size), sample: toSample(next, 1, change) };
    const touch = {
      name: rowOf(touched, size),
      sample: toSample(toNext(readers.files), 1, () => utimes(path, time, time++)),
    };
    return [
      follow,
      { name: rowOf(unseen, size), sample: toSample(next, 1, readers.database.forget) },
      touch,
      { ...touch, name: again(touch.name) },
      ...(size === baseSize ? [{ ...follow, name: again(follow.name) }] : []),
    ];
  });
  const timed = await timeRounds(contenders, quick ? { rounds: 2, warmUps: 1 } : { rounds: 30, warmUps: 1 });
  return [
    {
      title: "next, after one change by another server",
      result: toGrowing(timed, followed, [...specs.keys()]),
    },
    ...[...specs.keys()].map((size) => {
      const base = rowOf(touched, size);
      const rows = pick(timed, [base, rowOf(unseen, size), rowOf(followed, size), again(base)]);
      return { title: "The first next on a server", result: toMeasurement(rows, base) };
    }),
  ];
}
