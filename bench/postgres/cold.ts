import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { type RunOptions, toMeasurement } from "../measure.ts";
import type { Section } from "../report.ts";
import type { Timed } from "../toolkit/call-rounds.ts";
import { baseSize, rowOf, type SizedSpecs, toGrowing } from "./growth.ts";
import { again, type Contender, pick, timeRounds, toSample } from "./time-rounds.ts";
import { openWarmStore, type StorePlace, type WarmStore } from "./warm-store.ts";

const unseen = "PostgreSQL, not seen before";
const followed = "PostgreSQL, one change by another server";
/** Of a file nobody can tell what has changed in it: both come to the same. */
const touched = "file, not seen before, or changed";

/** The first `next` on servers that do not know the spec, or know how it was before one change; those of the specs change them. */
export async function measureCold(
  places: { readonly database: StorePlace; readonly files: StorePlace },
  { store: writer, specs }: SizedSpecs,
  { quick = false }: RunOptions,
): Promise<readonly Section[]> {
  const opened: WarmStore[] = [];
  const open = async (place: StorePlace) => {
    const store = await openWarmStore(place);
    opened.push(store);
    return store;
  };
  try {
    const followers = { database: await open(places.database), files: await open(places.files) };
    const contenders: Contender[] = [];
    for (const [size, spec] of specs) {
      // One for each size: what it forgets would else have to be read again for the others.
      const stranger = await open(places.database);
      const next = (store: WarmStore) => () => store.call("task", { action: "next", spec_id: spec.id });
      const change = async () => {
        // It knows the spec as it was before.
        await next(followers.database)();
        await writer.call("task", spec.toComplete());
      };
      const path = join(places.files.folder, "specs", "active", `${spec.id}.json`);
      let time = 1_700_000_000;
      const touch = () => utimes(path, time, time++);
      const follow = toSample(next(followers.database), 1, change);
      const read = toSample(next(followers.files), 1, touch);
      contenders.push(
        { name: rowOf(followed, size), sample: follow },
        { name: rowOf(unseen, size), sample: toSample(next(stranger), 1, stranger.forget) },
        { name: rowOf(touched, size), sample: read },
        { name: again(rowOf(touched, size)), sample: read },
      );
      if (size === baseSize) contenders.push({ name: again(rowOf(followed, size)), sample: follow });
    }
    const rounds = quick ? { rounds: 2, warmUps: 1 } : { rounds: 30, warmUps: 1 };
    return toSections(await timeRounds(contenders, rounds), [...specs.keys()]);
  } finally {
    for (const store of opened) await store.close();
  }
}

function toSections(timed: readonly Timed[], sizes: readonly number[]): readonly Section[] {
  return [
    { title: "next, after one change by another server", result: toGrowing(timed, followed, sizes) },
    ...sizes.map((size) => {
      const base = rowOf(touched, size);
      const rows = pick(timed, [base, rowOf(unseen, size), rowOf(followed, size), again(base)]);
      return { title: "The first next on a server", result: toMeasurement(rows, base) };
    }),
  ];
}
