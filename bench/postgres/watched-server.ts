import { bytesWritten, cpuOf } from "./cpu-time.ts";
import type { DatabaseWatch } from "./database-watch.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { startServer } from "./server-process.ts";
import type { StorePlace } from "./warm-store.ts";
import { openWireCounter } from "./wire-counter.ts";

/** The resources used so far. */
export interface Spent {
  readonly serverCpuMs: number;
  readonly databaseCpuMs: number;
  /**
   * The number of bytes that were written durably before the answer, either to the log of a database or to files.
   */
  readonly writtenBytes: number;
  /** The number of times that the database waited for the disk. */
  readonly syncs: number;
  readonly databaseBytes: number;
  readonly clientBytes: number;
}

/** A server process whose resource usage is counted. */
export interface WatchedServer {
  readonly http: HttpClient;
  look(): Promise<Spent>;
  close(): Promise<void>;
}

/** Starts a server. The traffic to its database is also counted. */
export async function startWatchedServer(place: StorePlace, watch?: DatabaseWatch): Promise<WatchedServer> {
  const database = place.env["FOUNDRY_STORE"];
  const wire = database === undefined ? undefined : await openWireCounter(database);
  const env = { ...place.env, ...(wire === undefined ? {} : { FOUNDRY_STORE: wire.url }) };
  const server = await startServer({ ...place, env });
  const http = createHttpClient(server.origin);
  return {
    http,
    async look() {
      const log = await watch?.log();
      return {
        serverCpuMs: cpuOf([server.pid]),
        databaseCpuMs: (await watch?.cpu()) ?? 0,
        writtenBytes: log?.bytes ?? bytesWritten(server.pid),
        syncs: log?.syncs ?? Number.NaN,
        databaseBytes: wire?.bytes() ?? 0,
        clientBytes: http.bytes(),
      };
    },
    async close() {
      http.close();
      await server.close();
      wire?.close();
    },
  };
}
