import { randomUUID } from "node:crypto";
import type { Logger } from "@foundry-mcp/toolkit";
import {
  createRateLimiter,
  type PostgresCounts,
  type RateLimiter,
  type RateLimiterOptions,
} from "@foundry-mcp/toolkit/limits";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { readPage } from "../markdown.ts";
import { createTestDatabase, itConcurrent } from "../postgres/test-databases.ts";

/** The suite of the package is not part of a build, so its types are declared here. */
interface Suite {
  describeRateLimiter(name: string, create: (options: RateLimiterOptions) => RateLimiter): void;
}
const suite = new URL("../../packages/toolkit/src/limits/rate-limiter.suite.ts", import.meta.url).href;
const { describeRateLimiter } = (await import(suite)) as Suite;

const database = await createTestDatabase();
const pools: pg.Pool[] = [];
const openPool = (options: pg.PoolConfig = {}) => {
  const pool = new pg.Pool({
    connectionString: database.url,
    max: database.isConcurrent ? 4 : 1,
    ...options,
  });
  // The pool replaces an idle connection that is cut.
  pool.on("error", () => {});
  pools.push(pool);
  return pool;
};
const pool = openPool();

/** Creates the table as defined in the guide. */
const createTable = async (schema: string) => {
  const [, statements] =
    /^```sql\n(CREATE .*?)^```$/ms.exec(readPage("docs/guides/limits-flags-and-tiers.md")) ?? [];
  await pool.query(
    `BEGIN; CREATE SCHEMA ${schema}; SET LOCAL search_path TO ${schema}; ${statements} COMMIT`,
  );
};

beforeAll(async () => {
  await createTable("limits");
  await createTable("others");
});
afterAll(async () => {
  await Promise.all(pools.map((each) => each.end()));
  await database.close();
});

/**
 * Returns options for the counts of a limiter. Each limiter has separate counts, unless a shared prefix is passed.
 */
const countsOf = (own: Partial<PostgresCounts> = {}): PostgresCounts => ({
  client: pool,
  schema: "limits",
  table: "rate_limits",
  prefix: randomUUID(),
  // Other tests share the machine, so a slow database must not count as a failed database.
  timeoutMs: 20_000,
  ...own,
});

/**
 * The errors of limiters. A limiter that counts in its process reports an error, and these tests are about counts in
 * the table.
 */
const complaints: unknown[] = [];
const complain = (facts: object, message: string) => void complaints.push([facts, message]);
const strict: Logger = {
  debug: complain,
  info: complain,
  warn: complain,
  error: complain,
  child: () => strict,
};
afterAll(() => expect(complaints).toEqual([]));

describeRateLimiter(`a rate limiter that counts in ${database.engine}`, (options) =>
  createRateLimiter({ ...options, postgres: countsOf({ logger: strict }) }),
);

/** Returns the number of concurrent calls that were allowed. */
const countAllowed = async (takes: readonly unknown[]) => {
  const quotas = (await Promise.all(takes)) as { isAllowed: boolean }[];
  return quotas.filter(({ isAllowed }) => isAllowed).length;
};

describe(`rate limits that are shared through ${database.engine}`, () => {
  afterEach(() => void vi.useRealTimers());

  itConcurrent("allow no more than the limit through two pools together, and all of it", async () => {
    const prefix = randomUUID();
    const limiters = [openPool(), openPool()].map((client) =>
      createRateLimiter({
        limit: 100,
        periodSeconds: 3_600,
        postgres: countsOf({ client, prefix, logger: strict }),
      }),
    );
    const takes = Array.from({ length: 300 }, (_, call) => limiters[call % 2]?.take("a", "x"));
    expect(await countAllowed(takes)).toBe(100);
    expect(await Promise.all(limiters.map((limiter) => limiter.take("a", "x")))).toMatchObject([
      { isAllowed: false, remaining: 0 },
      { isAllowed: false, remaining: 0 },
    ]);
  });

  it("are shared with other limiters of the same prefix and schema only", async () => {
    const rule = { limit: 2, periodSeconds: 3_600 };
    const prefix = randomUUID();
    const remaining = async (own: Partial<PostgresCounts>) =>
      (await createRateLimiter({ ...rule, postgres: countsOf({ logger: strict, ...own }) }).take("a", "x"))
        ?.remaining;
    expect(await remaining({ prefix })).toBe(1);
    expect(await remaining({ prefix: `${prefix}:` })).toBe(1);
    expect(await remaining({ prefix, schema: "others" })).toBe(1);
    expect(await remaining({ prefix })).toBe(0);
  });

  it("let new clients of every process share a quota over maxKeys", async () => {
    const prefix = randomUUID();
    const options = {
      limit: 10,
      periodSeconds: 3_600,
      maxKeys: 5,
      postgres: countsOf({ prefix, logger: strict }),
    };
    const limiters = [createRateLimiter(options), createRateLimiter(options)];
    for (const [process, limiter] of limiters.entries()) {
      await Promise.all(Array.from({ length: 50 }, (_, client) => limiter.take(`${process} ${client}`, "x")));
    }
    const { rows } = await pool.query(
      "SELECT count(*)::integer AS keys, max(points)::integer AS most FROM limits.rate_limits WHERE key LIKE $1",
      [`${prefix}:%`],
    );
    // There are five clients for each of two processes, and one shared quota, which the first process has used up.
    expect(rows).toEqual([{ keys: 11, most: expect.any(Number) }]);
    expect(rows[0].most).toBeGreaterThan(10);
  });

  it("are counted by each process while the table is missing, and in it again when it is back", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    // With one connection, the table is dropped only after the limiter has cleaned it up.
    const one = database.isConcurrent ? openPool({ max: 1 }) : pool;
    const lines: unknown[] = [];
    const hear = (facts: object) => void lines.push(facts);
    const logger: Logger = { debug: hear, info: hear, warn: hear, error: hear, child: () => logger };
    const limiter = createRateLimiter({
      limit: 2,
      periodSeconds: 3_600,
      postgres: countsOf({ client: one, schema: "others", logger }),
    });
    const remaining = async () => {
      const quota = await limiter.take("a", "x");
      return quota?.isAllowed ? quota.remaining : "refused";
    };
    expect(await remaining()).toBe(1);
    await one.query("ALTER TABLE others.rate_limits RENAME TO gone");
    expect([await remaining(), await remaining(), await remaining()]).toEqual([1, 0, "refused"]);
    await one.query("ALTER TABLE others.gone RENAME TO rate_limits");
    expect(await remaining()).toBe("refused");
    vi.advanceTimersByTime(1_000);
    expect([await remaining(), await remaining()]).toEqual([0, "refused"]);
    expect(lines).toEqual([{ code: "42P01" }, {}]);
  });

  it.each([
    ["there is no server", { host: "/nowhere" }, false, "ENOENT"],
    ["the port is closed", { host: "127.0.0.1", port: 1 }, false, "ECONNREFUSED"],
    ["the pool is closed", {}, true, "UNKNOWN"],
  ])("hold in each process where %s", async (_title, options, isClosed, code) => {
    const away = new pg.Pool({ user: "ada", password: "open-sesame", database: "tides", ...options });
    if (isClosed) await away.end();
    const lines: string[] = [];
    const hear = (facts: object, message: string) => void lines.push(JSON.stringify([facts, message]));
    const logger: Logger = { debug: hear, info: hear, warn: hear, error: hear, child: () => logger };
    const limiter = createRateLimiter({
      limit: 5,
      periodSeconds: 3_600,
      postgres: countsOf({ client: away, logger }),
    });
    expect(await countAllowed(Array.from({ length: 20 }, () => limiter.take("a", "x")))).toBe(5);
    expect(lines).toEqual([
      JSON.stringify([
        { code },
        "rate limits: the database is not available; until it is, each process counts its own calls",
      ]),
    ]);
    if (!isClosed) await away.end();
  });

  itConcurrent("hold while connections are cut under calls", async () => {
    const victim = openPool({ application_name: "victim" });
    const limiter = createRateLimiter({
      limit: 40,
      periodSeconds: 3_600,
      postgres: countsOf({ client: victim }),
    });
    const cut = () =>
      pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim'");
    const cuts: Promise<unknown>[] = [];
    const told: (boolean | undefined)[] = [];
    for (let call = 0; call < 200; call += 1) {
      if (call % 20 === 0) cuts.push(cut());
      told.push((await limiter.take("a", "x"))?.isAllowed);
    }
    await Promise.all(cuts);
    const allowed = told.filter(Boolean).length;
    // The maximum is the complete quota of the table, and the same quota counted in the process.
    expect(told).not.toContain(undefined);
    expect([allowed >= 40, allowed <= 80]).toEqual([true, true]);
  });

  it("delete rows whose period has been over for a minute, whoever wrote them", async () => {
    const now = Date.now();
    await pool.query(
      `INSERT INTO others.rate_limits SELECT 'old' || n, 1, $1::bigint FROM generate_series(1, 12000) AS n`,
      [now - 61_000],
    );
    await pool.query(
      `INSERT INTO others.rate_limits VALUES ('just over', 1, $1), ('not over', 1, $1 + 60000)`,
      [now - 1_000],
    );
    const limiters = [1, 2].map(() =>
      createRateLimiter({ limit: 1, periodSeconds: 3_600, postgres: countsOf({ schema: "others" }) }),
    );
    await Promise.all(limiters.map((limiter) => limiter.take("a", "x")));
    const select =
      "SELECT key FROM others.rate_limits WHERE key LIKE 'old%' OR key LIKE '% over' ORDER BY key";
    await expect
      .poll(async () => (await pool.query(select)).rows)
      .toEqual([{ key: "just over" }, { key: "not over" }]);
  });
});
