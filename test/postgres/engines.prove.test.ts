import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../source-files.ts";
import { startCluster } from "./cluster.ts";
import { findBinaries } from "./find-binaries.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "engines-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs three files in two projects, two files at a time. */
async function run(env: NodeJS.ProcessEnv) {
  const config = join(root, "test/postgres/runs/vitest.config.ts");
  const inherited = { PATH: process.env["PATH"], HOME: folder, NO_COLOR: "1", RUN_FOLDER: folder };
  const child = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", "-c", config], {
    cwd: root,
    env: { ...inherited, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes) => {
      said += bytes;
    });
  const [code] = await once(child, "close");
  const met = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
  const lines = said.split("\n").map((line) => line.trimEnd());
  const at = lines.findIndex((line) => line.startsWith("PostgreSQL tests ran on"));
  const tests = lines.find((line) => line.includes("Tests  "))?.trim();
  return { code, said, met, tests, end: at === -1 ? [] : lines.slice(at).filter((line) => line !== "") };
}
const starts = (met: readonly { started: string }[]) => new Set(met.map(({ started }) => started)).size;

const hasPrograms = findBinaries(process.env) !== undefined;
describe.skipIf(!hasPrograms)(`a run with PostgreSQL${hasPrograms ? "" : " (no initdb here)"}`, () => {
  it("starts one cluster for all files and projects, says so, and leaves nothing", async () => {
    const { code, met, tests, end } = await run({ FOUNDRY_REQUIRE_POSTGRES: "1" });
    expect({ code, tests }).toEqual({ code: 0, tests: "Tests  9 passed (9)" });
    expect(met.map(({ engine }) => engine)).toEqual(["PostgreSQL", "PostgreSQL", "PostgreSQL"]);
    expect(starts(met)).toBe(1);
    expect(end).toEqual([
      expect.stringMatching(/^PostgreSQL tests ran on PostgreSQL \d+\.\d+, a throw-away cluster$/),
    ]);
  });

  it("uses the one of DATABASE_URL, and drops what tests have left in it", async () => {
    const cluster = await startCluster({ password: "s3cret p@ss" });
    try {
      const { code, said, met, tests, end } = await run({ DATABASE_URL: cluster.url });
      expect({ code, tests }).toEqual({ code: 0, tests: "Tests  9 passed (9)" });
      expect(starts(met)).toBe(1);
      expect(end).toEqual([
        expect.stringMatching(/^PostgreSQL tests ran on PostgreSQL \d+\.\d+, that of DATABASE_URL$/),
      ]);
      expect(said).not.toContain("s3cret");
      const client = new pg.Client({ connectionString: cluster.url });
      await client.connect();
      const { rows } = await client.query("SELECT datname FROM pg_database ORDER BY 1");
      await client.end();
      expect(rows.map(({ datname }) => datname)).toEqual(["postgres", "template0", "template1"]);
    } finally {
      await cluster.close();
    }
  });
});

describe("a run without PostgreSQL", () => {
  it("uses PGlite, and names what it could not run", async () => {
    const { code, met, tests, end } = await run({ FOUNDRY_TEST_PG_BIN: "none" });
    expect({ code, tests }).toEqual({ code: 0, tests: "Tests  3 passed | 6 skipped (9)" });
    expect(met.map(({ engine }) => engine)).toEqual(["PGlite", "PGlite", "PGlite"]);
    expect(end.slice(0, 2)).toEqual([
      "PostgreSQL tests ran on PGlite, which has one connection",
      "PGlite could not run 6 of them, for want of a second connection:",
    ]);
    expect(end.slice(2).sort()).toEqual(
      ["one-first", "one-second", "two-third"].flatMap((file) => [
        `  ${file}.run.ts: ${file} > elsewhere (needs several connections) > uses two`,
        `  ${file}.run.ts: ${file} > uses two (needs several connections)`,
      ]),
    );
  });

  it("fails where PostgreSQL is required, before any test", async () => {
    const { code, said, met, end } = await run({
      FOUNDRY_TEST_PG_BIN: "none",
      FOUNDRY_REQUIRE_POSTGRES: "1",
    });
    expect({ code, met, end }).toEqual({ code: 1, met: [], end: [] });
    expect(said).toContain("FOUNDRY_REQUIRE_POSTGRES is 1, and there is no PostgreSQL");
  });

  it("fails where the server of DATABASE_URL is not there, and does not tell its password", async () => {
    const { code, said, met } = await run({ DATABASE_URL: "postgres://me:s3cret@127.0.0.1:1/app" });
    expect({ code, met }).toEqual({ code: 1, met: [] });
    expect(said).toContain("No test database: connect ECONNREFUSED 127.0.0.1:1");
    expect(said).not.toContain("s3cret");
  });
});
