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
/**
 * The name of the row for unseen files and for changed files. Both kinds of files are read completely, so they take
 * the same time.
 */
const touched = "file, not seen before, or changed";

/**
 * Measures the first `next` call of two kinds of servers: servers that have not read the spec yet, and
 * servers that read it before it was changed once through `writer`.
 */
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
      // Each size has a separate server. If the sizes shared a server, dropping one cached spec would drop
      // all of them, and the specs of the other sizes would have to be read again.
      const stranger = await open(places.database);
      const next = (store: WarmStore) => () => store.call("task", { action: "next", spec_id: spec.id });
      const change = async () => {
        // This call loads the state of the spec before the change.
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
