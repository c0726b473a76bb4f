import { randomBytes, randomUUID } from "node:crypto";
import { hasEnded, isJobId, type Job, type JobFilter, type JobStorage } from "@foundry-mcp/toolkit/jobs";
import { ownerOf } from "../postgres/archive/archive-object.ts";
import { ChangeListener, ChangeNotifier } from "../postgres/change-notifications.ts";
import type { Database } from "../postgres/database.ts";
import { parseJob, parseSoundJob, toJobText } from "./stored-job.ts";

/** Options of a storage of jobs in PostgreSQL. */
export interface PostgresJobsOptions {
  /**
   * False to report no changes by other processes. Reporting these changes takes a connection.
   * @default true
   */
  readonly listens?: boolean | undefined;
}

/**
 * Creates the storage of the jobs of one workspace in a database whose schema is current. Any number of servers may
 * use the storage. Closing the storage does not close the database.
 */
export function createPostgresJobStorage(
  database: Database,
  workspace: number,
  options: PostgresJobsOptions = {},
): JobStorage {
  return new PostgresJobStorage(database, workspace, options);
}

interface JobRow {
  readonly id: string;
  readonly job: string;
}

class PostgresJobStorage implements JobStorage {
  readonly #database: Database;
  readonly #workspace: number;
  readonly #channel: string;
  readonly #listens: boolean;
  readonly #origin = randomBytes(6).toString("base64url");
  readonly #notifier: ChangeNotifier;
  readonly #listeners = new Set<(id: string) => void>();
  #listener: ChangeListener | undefined;

  constructor(database: Database, workspace: number, { listens = true }: PostgresJobsOptions) {
    this.#database = database;
    this.#workspace = workspace;
    this.#listens = listens;
    this.#channel = `foundry_jobs_${workspace}`;
    this.#notifier = new ChangeNotifier(database, this.#channel, this.#origin);
  }

  async create(job: Job): Promise<boolean> {
    const { id, principal, createdAt, ttlMs, version } = job;
    const created = Date.parse(createdAt);
    const added = await this.#database.query("store a job", {
      name: "foundry_job_create",
      // The statement may be repeated after a lost connection. The repeated statement then finds the row that the
      // first one wrote.
      text: `INSERT INTO foundry.job AS kept (workspace, id, owner, created_at, expires_at, running, version, write_id, job)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (workspace, id) DO UPDATE SET version = kept.version WHERE kept.write_id = excluded.write_id
        RETURNING id`,
      values: [
        ...[this.#workspace, id, ownerOf(principal), created, created + ttlMs],
        ...[!hasEnded(job), version, randomUUID(), toJobText(job)],
      ],
    });
    if (added.length === 0) return false;
    this.#notifier.notify(id);
    return true;
  }

  async read(id: string): Promise<Job | undefined> {
    if (!isJobId(id)) return undefined;
    const [row] = await this.#database.query<JobRow>("read a job", {
      name: "foundry_job_read",
      text: "SELECT id, job FROM foundry.job WHERE workspace = $1 AND id = $2",
      values: [this.#workspace, id],
    });
    return row && parseJob(row.job, id);
  }

  async replace(job: Job, version: number): Promise<boolean> {
    const replaced = await this.#database.query("change a job", {
      name: "foundry_job_replace",
      // The comparison and the change are one statement. If the statement is repeated after a lost connection, it
      // finds its own write.
      text: `UPDATE foundry.job SET running = $4, version = $5, write_id = $6, job = $7
        WHERE workspace = $1 AND id = $2 AND (version = $3 OR write_id = $6) RETURNING id`,
      values: [
        ...[this.#workspace, job.id, version],
        ...[!hasEnded(job), job.version, randomUUID(), toJobText(job)],
      ],
    });
    if (replaced.length === 0) return false;
    this.#notifier.notify(job.id);
    return true;
  }

  async list({ principal, isRunning, expiredAt }: JobFilter): Promise<readonly Job[]> {
    const values: unknown[] = [this.#workspace];
    const conditions = ["workspace = $1"];
    if (principal !== undefined) conditions.push(`owner = $${values.push(ownerOf(principal))}`);
    if (isRunning === true) conditions.push("running");
    if (expiredAt !== undefined) conditions.push(`expires_at <= $${values.push(expiredAt)}`);
    const rows = await this.#database.query<JobRow>("list the jobs", {
      text: `SELECT id, job FROM foundry.job WHERE ${conditions.join(" AND ")} ORDER BY created_at, id`,
      values,
    });
    return rows.flatMap(({ id, job }) => parseSoundJob(job, id) ?? []);
  }

  async delete(id: string): Promise<void> {
    await this.#database.query("remove a job", {
      text: "DELETE FROM foundry.job WHERE workspace = $1 AND id = $2",
      values: [this.#workspace, id],
    });
  }

  watch(listener: (id: string) => void): () => void {
    if (!this.#listens) return () => {};
    this.#listeners.add(listener);
    this.#listener ??= new ChangeListener({
      database: this.#database,
      channel: this.#channel,
      origin: this.#origin,
      versions: {
        text: "SELECT id, version AS turn FROM foundry.job WHERE workspace = $1",
        values: [this.#workspace],
      },
      // No caller waits for a job that this process has not seen yet.
      reportsFirst: false,
      onChange: (id) => {
        for (const each of this.#listeners) each(id);
      },
    });
    return () => {
      this.#listeners.delete(listener);
      // Without listeners, no connection is needed.
      if (this.#listeners.size === 0) this.#stopListening();
    };
  }

  /** Stops listening and sends pending notifications. The caller closes the database. */
  async close(): Promise<void> {
    this.#listeners.clear();
    this.#stopListening();
    await this.#notifier.idle();
  }

  #stopListening(): void {
    this.#listener?.close();
    this.#listener = undefined;
  }
}
