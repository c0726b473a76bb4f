import { setTimeout as pause } from "node:timers/promises";
import type { Envelope } from "@foundry-mcp/contract";
import pg from "pg";
import { expect } from "vitest";
import { openPostgres } from "#built/foundry/app/open-postgres.js";
import { specOf } from "../specs/workspace.ts";
import type { Caller } from "./fault-servers.ts";

/** The specs that a load changes. */
export const loadSpecs = ["one", "two"] as const;

/** A spec that the load does not change. */
export const idleSpec = "idle";

/**
 * The number of tasks in a spec. Each task is completed only once, and this number is enough for the longest load.
 */
const tasksOfSpec = 1_500;

/** Creates the specs of a load in a database. */
export async function createLoadSpecs(url: string): Promise<void> {
  const { store, close } = await openPostgres({ url, workspace: "default", keepRevisions: 100_000 });
  for (const id of loadSpecs) await store.create(id, specOf(id, { tasks: tasksOfSpec }), "active");
  await store.create(idleSpec, specOf(idleSpec), "active");
  await close();
}

/** Changes with unique names that clients request during a fault, and their results. */
export class Load {
  /** Changes that were acknowledged, as titles of entries and ids of tasks. */
  readonly made = new Set<string>();
  /** Changes that were refused and not requested again. */
  readonly refused = new Map<string, Envelope>();
  /** Every refusal, including those of changes that were requested again. */
  readonly refusals: Envelope[] = [];
  readonly #ended = new AbortController();
  readonly #clients: Promise<void>[];
  #made = 0;
  #wakes: (() => void)[] = [];

  constructor(callers: readonly Caller[]) {
    this.#clients = callers.map((caller, at) => this.#run(caller, at, callers.length));
  }

  /** Waits until the given number of further changes was made. */
  async more(count: number): Promise<void> {
    const wanted = this.#made + count;
    while (this.#made < wanted) await new Promise<void>((resolve) => this.#wakes.push(resolve));
  }

  /** Waits until a client is refused. */
  async refusal(): Promise<void> {
    const had = this.refusals.length;
    while (this.refusals.length === had) await new Promise<void>((resolve) => this.#wakes.push(resolve));
  }

  /** Ends the load. Waits for pending requests. */
  async end(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#clients);
  }

  /**
   * Runs one client. In each round, the client adds an entry, completes a task, and adds an entry under a key. The
   * client repeats the last call under its key until the call succeeds.
   */
  async #run(caller: Caller, at: number, clients: number): Promise<void> {
    for (let turn = 0; !this.#ended.signal.aborted; turn++) {
      const spec_id = loadSpecs[turn % 2 === 0 ? 0 : 1];
      const task = `task-1-${at + 1 + clients * Math.floor(turn / 2)}`;
      const kind = (turn + at) % 3;
      if (kind === 0) await this.#once(caller, `${spec_id}/${at}.${turn}`, entry(spec_id, `${at}.${turn}`));
      else if (kind === 1) await this.#keyed(caller, spec_id, `${at}.${turn}`);
      else
        await this.#once(caller, `${spec_id}/${task}`, {
          tool: "task",
          action: "complete",
          spec_id,
          task_id: task,
        });
    }
  }

  async #once(caller: Caller, name: string, { tool, ...args }: Change): Promise<void> {
    const envelope = await caller.call(tool, args);
    if (envelope.success) this.#note(name);
    else {
      this.refused.set(name, envelope);
      this.#refuse(envelope);
      await pause(50);
    }
  }

  async #keyed(caller: Caller, spec_id: string, title: string): Promise<void> {
    const { tool, ...args } = entry(spec_id, title);
    for (;;) {
      const envelope = await caller.call(tool, { ...args, idempotency_key: `key ${title}` });
      if (envelope.success) return this.#note(`${spec_id}/${title}`);
      this.#refuse(envelope);
      await pause(50);
    }
  }

  #note(name: string): void {
    this.made.add(name);
    this.#made += 1;
    this.#wake();
  }

  #refuse(envelope: Envelope): void {
    this.refusals.push(envelope);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#wakes.splice(0)) wake();
  }
}

interface Change {
  readonly tool: string;
  readonly [name: string]: string;
}

const entry = (spec_id: string, title: string): Change => ({
  ...{ tool: "journal", action: "add", spec_id, title, content: `What happened in ${title}` },
});

/**
 * Checks a database against the answers that clients received. An acknowledged change must exist exactly once, and a
 * refused change at most once.
 */
export async function expectKept(url: string, { made, refused }: Load): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string; text: string; counter: number; revisions: number }>(
    `SELECT id, counter::int, (SELECT count(*)::int FROM foundry.revision r WHERE r.spec = s.spec) AS revisions,
      (SELECT string_agg(raw, '' ORDER BY member, entry) FROM foundry.piece p WHERE p.spec = s.spec) AS text
      FROM foundry.spec s ORDER BY id`,
  );
  await client.end();
  const found = rows.flatMap(({ id, text }) => namesIn(id, JSON.parse(text) as StoredSpec));
  const counts = new Map<string, number>();
  for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
  expect([...made].filter((name) => !counts.has(name))).toEqual([]);
  expect(found.filter((name) => !made.has(name) && !refused.has(name))).toEqual([]);
  // There is one revision for each change, and the first revision.
  for (const { id, counter, revisions } of rows) {
    const changes = found.filter((name) => name.startsWith(`${id}/`)).length;
    expect({ id, counter, revisions }).toEqual({ id, counter: changes + 1, revisions: changes + 1 });
  }
}

interface StoredSpec {
  readonly journal: readonly { readonly title: string }[];
  readonly hierarchy: Readonly<Record<string, { readonly type: string; readonly status: string }>>;
}

/** Returns the changes that were made to a spec, by their names. */
function namesIn(id: string, { journal, hierarchy }: StoredSpec): readonly string[] {
  const completed = Object.entries(hierarchy)
    .filter(([, { type, status }]) => type === "task" && status === "completed")
    .map(([task]) => task);
  const titles = journal.map(({ title }) => title);
  const isOfTask = (title: string) => title.startsWith("Task Completed: ");
  // The journal contains each completed task once.
  expect(titles.filter(isOfTask).toSorted()).toEqual(
    completed.map((task) => `Task Completed: Do ${task}`).toSorted(),
  );
  return [...titles.filter((title) => !isOfTask(title)), ...completed].map((name) => `${id}/${name}`);
}

/** Checks that a refusal has a code, a remedy, and the time after which to try again. */
export function expectTyped(envelopes: readonly Envelope[], codes: readonly string[]): void {
  for (const { error, data } of envelopes) {
    expect({ error, code: data["error_code"] }).toEqual({
      error: expect.stringMatching(/^Cannot /),
      code: expect.stringMatching(new RegExp(`^(${codes.join("|")})$`)),
    });
    expect(data["remediation"]).toMatch(/try again/i);
    expect(data["retry_after_seconds"]).toBeGreaterThan(0);
    expect(data["details"]).toMatchObject({ dependency: "postgresql" });
  }
}

/** Returns the number of refusals with each code. */
export function countCodes(envelopes: readonly Envelope[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { data } of envelopes) {
    const code = String(data["error_code"]);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}
