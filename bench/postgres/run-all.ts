import { startCluster } from "../../test/postgres/cluster.ts";
import type { RunOptions } from "../measure.ts";
import type { Section } from "../report.ts";
import { measureCold } from "./cold.ts";
import { type CostRow, countCosts, placeOwn } from "./costs.ts";
import { type DatabaseWatch, openDatabaseWatch } from "./database-watch.ts";
import { startFleet } from "./fleet.ts";
import { measureAgainst, measureGrowth, placeSizes, type SizedSpecs } from "./growth.ts";
import type { PlacedSpec } from "./placed-spec.ts";
import { printTables } from "./print-tables.ts";
import { groups, type Shape, tenPhases } from "./shapes.ts";
import { measureThroughput } from "./throughput.ts";
import { createPlace, openWarmStore, type StorePlace, type WarmStore } from "./warm-store.ts";
import { complete, reads, type Work } from "./works.ts";

interface Places {
  readonly database: StorePlace;
  readonly files: StorePlace;
}

/** Runs all measurements on a separate PostgreSQL server with durable commits. */
export async function runAll(options: RunOptions): Promise<readonly Section[]> {
  const cluster = await startCluster({ durable: true });
  const [database, files] = [await createPlace(cluster.url), await createPlace()];
  const watch = await openDatabaseWatch(cluster.url);
  try {
    const places = { database, files };
    const phased = await runPhases(places, watch, options);
    const grouped = await runGroups(places, watch, options);
    const throughput = await runFleets(places, watch, options);
    const large = {
      database: { [tenPhases.name]: phased.database, [groups.name]: grouped.database },
      files: { [tenPhases.name]: phased.files },
    };
    const costs = await runCosts(places, watch, large, options);
    const sections = [...phased.sections, ...grouped.sections];
    printTables(sections, throughput, costs);
    // The costs are added to the last table, so that they are included in the file of results.
    const told = throughput.map((section, index) =>
      index === throughput.length - 1 ? { ...section, costs } : section,
    );
    return [...sections, ...told];
  } finally {
    await watch.close();
    await cluster.close();
    await database.remove();
    await files.remove();
  }
}

type ByStore<T> = Readonly<Record<keyof Places, T>>;

/** Opens servers in this process, and closes them after use. The large specs that they cache take much memory. */
async function withStores<T>(places: Places, use: (stores: ByStore<WarmStore>) => Promise<T>): Promise<T> {
  const stores = { database: await openWarmStore(places.database), files: await openWarmStore(places.files) };
  try {
    return await use(stores);
  } finally {
    await stores.database.close();
    await stores.files.close();
  }
}

const shaped = (work: Work, shape: Shape): Work => ({ ...work, title: `${work.title}, ${shape.name}` });

const largest = ({ specs }: SizedSpecs) => [...specs.values()].at(-1) as PlacedSpec;

/**
 * Measures the usual shape of specs: the growth of calls, the comparison with files, and a server that has not seen
 * the spec.
 */
function runPhases(places: Places, watch: DatabaseWatch, options: RunOptions) {
  return withStores(places, async (stores) => {
    const sized: ByStore<SizedSpecs> = {
      database: await placeSizes(stores.database, tenPhases, options),
      files: await placeSizes(stores.files, tenPhases, options),
    };
    await watch.settle();
    const works = [...reads, complete].map((work) => shaped(work, tenPhases));
    const sections: Section[] = [];
    for (const work of works) sections.push(await measureGrowth(work, sized.database, options));
    for (const work of works) sections.push(...(await measureAgainst(work, sized, options)));
    // The cached specs are dropped, because they would slow down later measurements that read as much data.
    await stores.files.forget();
    sections.push(...(await measureCold(places, sized.database, options)));
    return { sections, database: largest(sized.database), files: largest(sized.files) };
  });
}

/**
 * Measures specs with groups of tasks. Compared with specs of ten phases, only the time of changes in the
 * database can differ, because a file is always written completely.
 */
function runGroups(places: Places, watch: DatabaseWatch, options: RunOptions) {
  return withStores(places, async ({ database }) => {
    const sized = await placeSizes(database, groups, options);
    await watch.settle();
    const section = await measureGrowth(shaped(complete, groups), sized, options);
    return { sections: [section], database: largest(sized) };
  });
}

function runFleets(places: Places, watch: DatabaseWatch, options: RunOptions) {
  return withStores(places, async (stores) => {
    const fleets = [await startFleet(stores.database, watch), await startFleet(stores.files)];
    try {
      return await measureThroughput(fleets, options);
    } finally {
      for (const { close } of fleets) await close();
    }
  });
}

function runCosts(
  places: Places,
  watch: DatabaseWatch,
  large: ByStore<Readonly<Record<string, PlacedSpec>>>,
  options: RunOptions,
): Promise<readonly CostRow[]> {
  return withStores(places, async (stores) => {
    const rows: CostRow[] = [];
    for (const key of ["database", "files"] as const) {
      const own = await placeOwn(stores[key]);
      if (key === "database") await watch.settle();
      const watched = key === "database" ? watch : undefined;
      rows.push(...(await countCosts(places[key], { own, large: large[key] }, watched, options)));
    }
    return rows;
  });
}
