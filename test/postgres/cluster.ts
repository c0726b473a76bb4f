import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { type ClusterCleanup, startCleanup } from "./cluster-cleanup.ts";
import { createClusterFolder } from "./cluster-folder.ts";
import { createDataFolder } from "./data-folder.ts";
import { findBinaries } from "./find-binaries.ts";
import { findFreePort } from "./free-port.ts";
import { Postmaster } from "./postmaster.ts";

export interface ClusterOptions {
  /** True to keep committed data when the database is killed. This is slower, but is how production servers work. */
  readonly durable?: boolean;
  /** The password for connections to 127.0.0.1. Without a password, there is only a Unix socket. */
  readonly password?: string;
  /** Settings of PostgreSQL by name, such as `max_connections`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder of PostgreSQL's programs. @default the result of `findBinaries` */
  readonly bin?: string;
}

const unsafeSettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  shared_buffers: "32MB",
};
const access = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";

/** An empty PostgreSQL cluster in a temporary folder. */
export class Cluster {
  /** The URL of the database `postgres` for the superuser. */
  readonly url: string;
  readonly #bin: string;
  readonly #folder: string;
  readonly #settings: readonly string[];
  readonly #cleanup: ClusterCleanup;
  #postmaster: Postmaster | undefined;

  constructor(
    place: { bin: string; folder: string; port: number; cleanup: ClusterCleanup },
    options: ClusterOptions,
  ) {
    const { bin, folder, port, cleanup } = place;
    this.#bin = bin;
    this.#folder = folder;
    this.#cleanup = cleanup;
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
      // The server uses files in the data folder, which is removed. A killed server would leave files in /dev/shm.
      dynamic_shared_memory_type: "mmap",
      ...(options.durable ? {} : unsafeSettings),
      ...options.settings,
    }).map(([name, value]) => `${name}=${value}`);
  }

  /** Returns the URL of another database of the cluster. */
  urlOf(database: string): string {
    const url = new URL(this.url);
    url.pathname = `/${encodeURIComponent(database)}`;
    return url.href;
  }

  /** Starts the cluster again with the same data and address. */
  async start(): Promise<void> {
    if (this.#postmaster) throw new Error("The cluster runs. Call stop() or kill() before start().");
    this.#postmaster = await Postmaster.start(this.#bin, this.#folder, this.#settings);
  }

  /** Shuts the cluster down cleanly. Connections are notified, and all data is written. */
  async stop(): Promise<void> {
    await this.#postmaster?.stop();
    this.#postmaster = undefined;
  }

  /** Kills all processes at once, like a power loss. Connections are not notified. */
  async kill(): Promise<void> {
    await this.#postmaster?.kill();
    this.#postmaster = undefined;
  }

  /** Returns the log so far. */
  async readLog(): Promise<string> {
    return readFile(join(this.#folder, "log"), "utf8");
  }

  /** Stops the cluster and removes its folder. */
  async close(): Promise<void> {
    await this.#cleanup.close();
    await this.#postmaster?.exited;
    this.#postmaster = undefined;
  }
}

/** Starts a temporary PostgreSQL cluster. The cluster ends with this process at the latest. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const bin = options.bin ?? findBinaries(process.env);
  if (bin === undefined)
    throw new Error(
      "No initdb is in PATH or /usr/lib/postgresql/*/bin. Install PostgreSQL, or name its folder in FOUNDRY_TEST_PG_BIN.",
    );
  const folder = await createClusterFolder(options.durable ?? false);
  const cleanup = startCleanup(folder);
  try {
    // The default WAL segment of 16 MB would be most of the copied data.
    const data = await createDataFolder(bin, folder, options.durable ? [] : ["--wal-segsize=1"]);
    await writeFile(join(data, "pg_hba.conf"), access);
    return await startOnPort({ bin, folder, cleanup }, options);
  } catch (error) {
    await cleanup.close();
    throw error;
  }
}

/** Retries with another port if a free port is taken before the server listens on it. */
async function startOnPort(
  place: { bin: string; folder: string; cleanup: ClusterCleanup },
  options: ClusterOptions,
) {
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
