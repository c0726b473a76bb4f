import { setTimeout as delay } from "node:timers/promises";
import type { RunOptions } from "../measure.ts";
import type { Arguments } from "../specs/warm-server.ts";
import type { DatabaseWatch } from "./database-watch.ts";
import { clients } from "./fleet.ts";
import { type PlacedSpec, placeSpec } from "./placed-spec.ts";
import { tenPhases } from "./shapes.ts";
import type { StorePlace, WarmStore } from "./warm-store.ts";
import { type Spent, startWatchedServer, type WatchedServer } from "./watched-server.ts";

/** The cost of one call. The number of syncs is less than 1 if several calls shared one sync. */
export interface CostRow extends Spent {
  readonly call: string;
  readonly store: string;
}

/** The specs with which costs are counted. */
export interface CostSpecs {
  /** Small specs, one for each client. */
  readonly own: readonly PlacedSpec[];
  /** Large specs by the name of their shape. */
  readonly large: Readonly<Record<string, PlacedSpec>>;
}

/** Adds the small specs. */
export async function placeOwn(store: WarmStore): Promise<readonly PlacedSpec[]> {
  const own: PlacedSpec[] = [];
  for (let client = 0; client < clients; client++)
    own.push(await placeSpec(store, tenPhases, 1_000, `cost-${client}`));
  return own;
}

/** Counts the cost of calls to one server process of a store. */
export async function countCosts(
  place: StorePlace,
  specs: CostSpecs,
  watch: DatabaseWatch | undefined,
  options: RunOptions,
): Promise<readonly CostRow[]> {
  const server = await startWatchedServer(place, watch);
  try {
    const rows: CostRow[] = [];
    for (const { name, ...costed } of toCostedCalls(specs, watch !== undefined, options))
      rows.push({ call: name, store: place.name, ...(await countCost(server, costed, watch)) });
    return rows;
  } finally {
    await server.close();
  }
}

interface CostedCall {
  readonly name: string;
  /** The number of calls before the count starts. The following `calls` calls are counted. */
  readonly warmUps: number;
  readonly calls: number;
  /** The number of concurrent calls. */
  readonly inFlight: number;
  toArguments(client: number): Arguments;
}

function toCostedCalls(
  { own, large }: CostSpecs,
  isQuickToWrite: boolean,
  { quick = false }: RunOptions,
): readonly CostedCall[] {
  const of = (client: number) => own[client] as PlacedSpec;
  const many = { warmUps: clients * (quick ? 1 : 25), calls: clients * (quick ? 1 : 100), inFlight: clients };
  const few = { warmUps: quick ? 1 : 10, calls: quick ? 2 : isQuickToWrite ? 60 : 12, inFlight: 1 };
  const toRead = (action: string) => (client: number) => ({ action, spec_id: of(client).id });
  return [
    { name: "next", ...many, toArguments: toRead("next") },
    { name: "query, a page of 25", ...many, toArguments: toRead("query") },
    { name: `complete, ${clients} specs`, ...many, toArguments: (client) => of(client).toComplete() },
    ...Object.entries(large).map(([shape, spec]) => ({
      name: `complete, the largest spec, ${shape}`,
      ...few,
      toArguments: spec.toComplete,
    })),
  ];
}

async function countCost(
  { http, look }: WatchedServer,
  { warmUps, calls, inFlight, toArguments }: Omit<CostedCall, "name">,
  watch: DatabaseWatch | undefined,
): Promise<Spent> {
  const drive = async (count: number) => {
    const work = async (client: number) => {
      for (let left = count / inFlight; left > 0; left--) await http.call("task", toArguments(client));
    };
    await Promise.all(Array.from({ length: inFlight }, (_, client) => work(client)));
  };
  const lookSettled = async () => {
    // A PostgreSQL connection reports its statistics at most once per second, and only while it executes something.
    if (watch !== undefined) await delay(1_100);
    await drive(inFlight);
    return look();
  };
  await drive(warmUps);
  const before = await lookSettled();
  await drive(calls);
  const after = await lookSettled();
  const each = (key: keyof Spent) => (after[key] - before[key]) / (calls + inFlight);
  return {
    serverCpuMs: each("serverCpuMs"),
    databaseCpuMs: each("databaseCpuMs"),
    writtenBytes: each("writtenBytes"),
    syncs: each("syncs"),
    databaseBytes: each("databaseBytes"),
    clientBytes: each("clientBytes"),
  };
}
