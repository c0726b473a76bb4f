import type { DatabaseWatch } from "./database-watch.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { type PlacedSpec, placeSpec } from "./placed-spec.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { tenPhases } from "./shapes.ts";
import { again } from "./time-rounds.ts";
import type { WarmStore } from "./warm-store.ts";

/** The number of clients that call concurrently. */
export const clients = 16;
/** The number of nodes in each spec. */
const nodes = 1_000;
/** The number of specs that all clients work on together, one after another. */
const sharedSpecs = 5;

/** A group of servers of one store, with clients and specs that no other crew uses. */
export interface Crew {
  readonly name: string;
  readonly servers: number;
  next(client: number): Promise<unknown>;
  completeOwn(client: number): Promise<unknown>;
  completeShared(client: number): Promise<unknown>;
}

/** The servers of one store. */
export interface Fleet {
  readonly servers: readonly ServerProcess[];
  readonly crews: readonly Crew[];
  /** The watch of the database. Undefined if the store is not a database. */
  readonly watch?: DatabaseWatch;
  close(): Promise<void>;
}

/**
 * Starts four servers of a store. The crews of one, two and four servers share these servers. If the store is
 * the baseline, the first crew has a duplicate for the A/A row.
 */
export async function startFleet(store: WarmStore, watch?: DatabaseWatch): Promise<Fleet> {
  const { place } = store;
  const servers = await Promise.all(Array.from({ length: 4 }, () => startServer(place)));
  const http = servers.map(({ origin }) => createHttpClient(origin));
  const crews: Crew[] = [];
  for (const count of [1, 2, 4])
    crews.push(
      await createCrew(store, `${place.name}, ${count} server${count > 1 ? "s" : ""}`, http.slice(0, count)),
    );
  const [first] = crews;
  if (watch !== undefined && first !== undefined)
    crews.push(await createCrew(store, again(first.name), http.slice(0, 1)));
  await watch?.settle();
  return {
    servers,
    crews,
    ...(watch === undefined ? {} : { watch }),
    async close() {
      for (const { close } of http) close();
      for (const { close } of servers) await close();
    },
  };
}

async function createCrew(store: WarmStore, name: string, http: readonly HttpClient[]): Promise<Crew> {
  const place = async (count: number, prefix: string) => {
    const specs: PlacedSpec[] = [];
    for (let number = 0; number < count; number++) {
      const id = `${name} ${prefix} ${number}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
      specs.push(await placeSpec(store, tenPhases, nodes, id));
    }
    return specs;
  };
  const own = await place(clients, "own");
  const shared = await place(sharedSpecs, "shared");
  const ownOf = (client: number) => own[client] as PlacedSpec;
  const call = (client: number, args: Parameters<HttpClient["call"]>[1]) =>
    (http[client % http.length] as HttpClient).call("task", args);
  return {
    name,
    servers: http.length,
    next: (client) => call(client, { action: "next", spec_id: ownOf(client).id }),
    completeOwn: (client) => call(client, ownOf(client).toComplete()),
    completeShared(client) {
      const spec = shared.find(({ left }) => left() > 0) ?? shared[0];
      return call(client, (spec as PlacedSpec).toComplete());
    },
  };
}
