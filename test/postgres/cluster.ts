import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { createClusterFolder } from "./cluster-folder.ts";
import { createDataFolder } from "./data-folder.ts";
import { findBinaries } from "./find-binaries.ts";
import { findFreePort } from "./free-port.ts";
import { type Guard, openGuard } from "./guard.ts";
import { Postmaster } from "./postmaster.ts";

export interface ClusterOptions {
  /** Keeps what was committed when the database is killed, as servers do, at the price of speed. */
  readonly durable?: boolean;
  /** Listens on 127.0.0.1 too and asks for this password there; without it there is only a socket in a folder. */
  readonly password?: string;
  /** Settings of PostgreSQL by name, such as `max_connections`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where its programs are. @default what `findBinaries` finds */
  readonly bin?: string;
}

const hasty = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", shared_buffers: "32MB" };
const access = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";

/** A PostgreSQL of its own in a temporary folder, with nothing in it. */
export class Cluster {
  /** Its database `postgres`, for its superuser. */
  readonly url: string;
  readonly #bin: string;
  readonly #folder: string;
  readonly #settings: readonly string[];
  readonly #guard: Guard;
  #postmaster: Postmaster | undefined;

  constructor(place: { bin: string; folder: string; port: number; guard: Guard }, options: ClusterOptions) {
    const { bin, folder, port, guard } = place;
    this.#bin = bin;
    this.#folder = folder;
    this.#guard = guard;
    const { password } = options;
    this.url =
      password === undefined
        ? `postgres://postgres@${encodeURIComponent(folder)}:${port}/postgres`
        : `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
    this.#settings = Object.entries({
      listen_addresses: password === undefined ? "" : "127.0.0.1",
      port: String(port),
      unix_socket_directories: folder,
      password_encryption: "scram-sha-256",
      // In files of the data folder, which goes: of a killed server those in /dev/shm would stay.
      dynamic_shared_memory_type: "mmap",
      ...(options.durable ? {} : hasty),
      ...options.settings,
    }).map(([name, value]) => `${name}=${value}`);
  }

  /** The URL of another of its databases. */
  urlOf(database: string): string {
    const url = new URL(this.url);
    url.pathname = `/${encodeURIComponent(database)}`;
    return url.href;
  }

  /** Starts it again, on the same data and at the same place. */
  async start(): Promise<void> {
    if (this.#postmaster) throw new Error("The cluster runs. Call stop() or kill() before start().");
    this.#postmaster = await Postmaster.start(this.#bin, this.#folder, this.#settings);
  }

  /** Ends it in order: connections are told, and everything is on the disk. */
  async stop(): Promise<void> {
    await this.#postmaster?.stop();
    this.#postmaster = undefined;
  }

  /** Ends it as a power cut would: every process at once, and connections are told nothing. */
  async kill(): Promise<void> {
    await this.#postmaster?.kill();
    this.#postmaster = undefined;
  }

  /** What it has logged so far. */
  async readLog(): Promise<string> {
    return readFile(join(this.#folder, "log"), "utf8");
  }

  /** Ends it and removes all of it. */
  async close(): Promise<void> {
    await this.#guard.close();
    await this.#postmaster?.exited;
    this.#postmaster = undefined;
  }
}

/** Starts a throw-away PostgreSQL from the programs of the machine; it ends with this process at the latest. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const bin = options.bin ?? findBinaries(process.env);
  if (bin === undefined)
    throw new Error(
      "No initdb is in PATH or /usr/lib/postgresql/*/bin. Install PostgreSQL, or name its folder in FOUNDRY_TEST_PG_BIN.",
    );
  const folder = await createClusterFolder(options.durable ?? false);
  const guard = openGuard(folder);
  try {
    // The log of 16 megabytes is the larger half of what is copied.
    const data = await createDataFolder(bin, folder, options.durable ? [] : ["--wal-segsize=1"]);
    await writeFile(join(data, "pg_hba.conf"), access);
    return await startOnPort({ bin, folder, guard }, options);
  } catch (error) {
    await guard.close();
    throw error;
  }
}

/** Somebody else may take a port that was free: then another one is tried. */
async function startOnPort(place: { bin: string; folder: string; guard: Guard }, options: ClusterOptions) {
  const { password } = options;
  for (let tries = 1; ; tries += 1) {
    const port = password === undefined ? 5432 : await findFreePort();
    const cluster = new Cluster({ ...place, port }, options);
    try {
      await cluster.start();
      if (password !== undefined) await setPassword(place.folder, port, password);
      return cluster;
    } catch (error) {
      const isTaken = String(error).includes("Address already in use");
      if (!isTaken || tries === 5) throw error;
    }
  }
}

async function setPassword(folder: string, port: number, password: string): Promise<void> {
  const client = new pg.Client({ host: folder, port, user: "postgres", database: "postgres" });
  await client.connect();
  await client.query(`ALTER USER postgres PASSWORD ${pg.escapeLiteral(password)}`);
  await client.end();
}
