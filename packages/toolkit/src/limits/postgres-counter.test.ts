import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Logger } from "../context/logger.ts";
import { createRateLimiter, type RateLimiterOptions } from "./create-rate-limiter.ts";
import type { PostgresClient } from "./postgres-counter.ts";

// Tests with a database that fails; test/toolkit/limits-postgres.test.ts uses a working database.

type Statement = Parameters<PostgresClient["query"]>[0];

/** Creates an in-memory table whose results a test may replace. */
function createTable() {
  const counts = new Map<unknown, { points: number; expire: number }>();
  const count = ({ values: [key, points, expire, now] }: Statement) => {
    const known = counts.get(key);
    const isLive = known !== undefined && known.expire > Number(now);
    const row = isLive
      ? { points: known.points + Number(points), expire: known.expire }
      : { points: Number(points), expire: Number(expire) };
    counts.set(key, row);
    return row;
  };
  const statements: Statement[] = [];
  const table = {
    statements,
    fails: undefined as undefined | (() => Promise<{ rows: unknown[] }>),
    client: {
      query: async (statement: Statement) => {
        if (statement.text.includes("DELETE")) return { rows: [{ gone: 0 }] };
        statements.push(statement);
        return table.fails?.() ?? { rows: [count(statement)] };
      },
    },
  };
  return table;
}

function createLog() {
  const lines: unknown[] = [];
  const write = (level: string) => (facts: object, message: string) =>
    void lines.push([level, facts, message]);
  const logger: Logger = {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    child: () => logger,
  };
  return { lines, logger };
}

const away = (code: string) => [
  "warn",
  { code },
  "rate limits: the database is not available; until it is, each process counts its own calls",
];
const back = ["info", {}, "rate limits: the database is available again"];

function createCase(options: Partial<RateLimiterOptions> = {}) {
  const table = createTable();
  const { lines, logger } = createLog();
  const limiter = createRateLimiter({
    limit: 3,
    periodSeconds: 60,
    postgres: { client: table.client, table: "rate_limits", prefix: "tides", logger },
    ...options,
  });
  const take = async (client = "a") => {
    const { isAllowed, remaining } = (await limiter.take(client, "x")) ?? {};
    return isAllowed ? remaining : "refused";
  };
  return { table, lines, take };
}

const refused = () =>
  Promise.reject(
    Object.assign(new Error("connect ECONNREFUSED ada:secret@db.example"), { code: "ECONNREFUSED" }),
  );

describe("a limiter whose database fails", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it("counts in the process, opens the circuit, logs that once, and recovers by itself", async () => {
    const { table, lines, take } = createCase();
    expect(await take()).toBe(2);
    table.fails = refused;
    expect([await take(), await take(), await take(), await take()]).toEqual([2, 1, 0, "refused"]);
    expect(await take("b")).toBe(2);
    expect([table.statements.length, lines]).toEqual([2, [away("ECONNREFUSED")]]);

    vi.advanceTimersByTime(1_000);
    expect([await take("b"), await take("b")]).toEqual([1, 0]);
    expect([table.statements.length, lines]).toEqual([3, [away("ECONNREFUSED")]]);

    table.fails = undefined;
    vi.advanceTimersByTime(999);
    expect(await take("c")).toBe(2);
    vi.advanceTimersByTime(1);
    // Counts from before the failure are still in the table; only this process counted the calls during the
    // failure.
    expect([await take(), await take(), await take()]).toEqual([1, 0, "refused"]);
    expect(await take("c")).toBe(2);
    expect(lines).toEqual([away("ECONNREFUSED"), back]);
  });

  it("waits at most timeoutMs, and for one call at a time", async () => {
    const { table, lines, take } = createCase();
    table.fails = () => new Promise(() => {});
    const first = [take(), take()];
    await vi.advanceTimersByTimeAsync(999);
    expect(lines).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all(first)).toEqual([2, 1]);
    await vi.advanceTimersByTimeAsync(1_000);
    const trial = take("b");
    expect([await take(), await take()]).toEqual([0, "refused"]);
    expect(table.statements.length).toBe(3);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([await trial, lines]).toEqual([2, [away("TIMEOUT")]]);
  });

  it("does not close the circuit on a late answer", async () => {
    const { table, lines, take } = createCase();
    let answer: (late: { rows: unknown[] }) => void = () => {};
    table.fails = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const waiting = take();
    await vi.advanceTimersByTimeAsync(500);
    table.fails = refused;
    expect(await take("b")).toBe(2);
    answer({ rows: [{ points: 1, expire: Date.now() + 60_000 }] });
    expect([await waiting, await take("c"), table.statements.length]).toEqual([2, 2, 2]);
    expect(lines).toEqual([away("ECONNREFUSED")]);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["no rows", {}],
    ["an empty table", { rows: [] }],
    ["a row without numbers", { rows: [{}] }],
    ["a count that never ends", { rows: [{ points: 1, expire: null }] }],
    ["a count that is none", { rows: [{ points: "many", expire: "1700000060000" }] }],
  ])("counts every call where the database answers %s", async (_title, answer) => {
    const { table, lines, take } = createCase();
    table.fails = async () => answer as { rows: unknown[] };
    expect([await take(), await take(), await take(), await take()]).toEqual([2, 1, 0, "refused"]);
    expect(lines).toEqual([away("UNREADABLE")]);
  });

  it.each([
    ["texts", { points: "2", expire: "1700000060000" }],
    ["bigints", { points: 2n, expire: 1_700_000_060_000n }],
  ])("parses numbers that the driver returns as %s", async (_title, row) => {
    const { table, lines, take } = createCase();
    table.fails = async () => ({ rows: [row] });
    expect([await take(), lines]).toEqual([1, []]);
  });

  it.each<[string, unknown]>([
    ["no error", "postgres://ada:secret@db"],
    ["an error without a code", new Error("password ada:secret")],
    ["a code that is a sentence", Object.assign(new Error("no"), { code: "host db.example refused" })],
  ])("logs nothing of %s", async (_title, thrown) => {
    const { table, lines, take } = createCase();
    table.fails = () => Promise.reject(thrown);
    expect([await take(), lines]).toEqual([2, [away("UNKNOWN")]]);
  });

  it("sends no query for a client that has used up its quota", async () => {
    const { table, take } = createCase();
    expect([await take(), await take(), await take(), await take(), await take()]).toEqual([
      2,
      1,
      0,
      "refused",
      "refused",
    ]);
    expect(table.statements.length).toBe(3);
    vi.advanceTimersByTime(60_000);
    expect(await take()).toBe(2);
  });

  it("sends unnamed statements without client names", async () => {
    const { table, take } = createCase();
    await take("ada@example.org");
    const [statement] = table.statements;
    expect(Object.keys(statement ?? {})).toEqual(["text", "values"]);
    expect(statement?.values).toEqual([
      expect.stringMatching(/^tides:[\w-]{43}$/),
      1,
      1_700_000_060_000,
      1_700_000_000_000,
    ]);
  });

  it("keeps nothing of a client whose period is over", async () => {
    const { table, take } = createCase({ maxKeys: 1_000 });
    table.fails = refused;
    await Promise.all(Array.from({ length: 5_000 }, (_, client) => take(`client ${client}`)));
    expect(vi.getTimerCount()).toBe(1_001);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
