import { readFileSync } from "node:fs";
import pg from "pg";
import { cpuOfFamily } from "./cpu-time.ts";

/** Reports the work that a database has done so far. */
export interface DatabaseWatch {
  /** Returns the milliseconds of CPU of all processes of the database. */
  cpu(): Promise<number>;
  /**
   * Returns the number of bytes that the database wrote to its log, and the number of times that it waited for a sync
   * of the log to the disk.
   */
  log(): Promise<{ readonly bytes: number; readonly syncs: number }>;
  /**
   * Triggers the background work that would otherwise run some time later. This work analyzes the tables and writes a
   * checkpoint.
   */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Watches a database on this machine over a separate connection. */
export async function openDatabaseWatch(url: string): Promise<DatabaseWatch> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ask = async (text: string) => (await client.query<Record<string, string>>(text)).rows[0] ?? {};
  const { pid } = await ask("SELECT pg_backend_pid() AS pid");
  const postmaster = parentOf(Number(pid));
  return {
    cpu: () => cpuOfFamily(postmaster),
    async log() {
      const { bytes } = await ask("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes");
      // Newer versions count syncs in another view.
      const { syncs } = await ask("SELECT to_jsonb(w) ->> 'wal_sync' AS syncs FROM pg_stat_wal w");
      return { bytes: Number(bytes), syncs: Number(syncs ?? Number.NaN) };
    },
    async settle() {
      await client.query("VACUUM (ANALYZE)");
      await client.query("CHECKPOINT");
    },
    close: () => client.end(),
  };
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return Number.NaN;
  }
}
