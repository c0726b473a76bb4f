import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UnknownRecord } from "@foundry-mcp/contract";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCliRegistry } from "#built/foundry/app/create-cli-registry.js";
import { openServer } from "#built/foundry/app/open-server.js";
import { openWorkspace } from "#built/foundry/app/open-workspace.js";
import { loadSettings } from "#built/foundry/config/load-settings.js";
import { toScript } from "#built/foundry/postgres/migrate.js";
import { migrations } from "#built/foundry/postgres/migrations/migrations.js";
import { dryRuns, readOnlyCalls } from "../specs/read-only-calls.ts";
import { createTestDatabase, type TestDatabase } from "./test-databases.ts";

let folder: string;
let database: TestDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "database-reads-"));
  await mkdir(join(folder, "specs"));
  database = await createTestDatabase();
  vi.stubEnv("DATABASE_URL", database.url);
  vi.stubEnv("FOUNDRY_STORE_POOL", database.isConcurrent ? "2" : "1");
  vi.stubEnv("XDG_CONFIG_HOME", join(folder, "config"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function sql<R extends pg.QueryResultRow>(text: string): Promise<readonly R[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Returns all user-created objects of the database: schemas, tables, columns, indexes, sequences and
 * functions.
 */
const readCatalogue = () =>
  sql(
    `SELECT 'schema' AS kind, schema_name AS name FROM information_schema.schemata WHERE schema_name NOT LIKE 'pg\\_%'
     UNION ALL SELECT 'column', table_schema || '.' || table_name || '.' || column_name FROM information_schema.columns
       WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
     UNION ALL SELECT relkind::text, relname FROM pg_class
       WHERE relnamespace NOT IN (SELECT oid FROM pg_namespace WHERE nspname ~ '^(pg_|information_schema)')
     UNION ALL SELECT 'function', routine_schema || '.' || routine_name FROM information_schema.routines
       WHERE routine_schema NOT IN ('pg_catalog', 'information_schema')
     ORDER BY 1, 2`,
  );

const openCli = (options: Readonly<Record<string, string>>) => {
  const load = () => loadSettings({ options, env: process.env, cwd: folder });
  const workspace = openWorkspace(load, folder, { isOneShot: true });
  const registry = createCliRegistry({ load, cwd: folder, workspace });
  return { registry, close: () => workspace.close() };
};
const openStdio = (settings: Readonly<Record<string, string>>) =>
  openServer({ cwd: folder, settings: { ...settings, tools: "all", log_level: "silent" } });

/** The failure of a read from a database without tables. */
const unprepared = (schema: number) => ({
  success: false,
  error: expect.stringMatching(
    schema === 0
      ? /^Cannot read specs in the database \S+: it has no schema of Foundry$/
      : new RegExp(
          `^Cannot read specs in the database \\S+: its schema is at step 1 of ${migrations.length}$`,
        ),
  ),
  data: {
    error_code: "UNAVAILABLE",
    remediation: "Run foundry-cli store migrate --store postgres, then try again.",
    details: { dependency: "postgresql", schema, known_schema: migrations.length },
  },
});

describe("on an empty database", () => {
  it.each([
    ["command", openCli],
    ["call of a server over stdio", openStdio],
  ])("no read-only %s creates anything, and specs are not said to be none", async (_name, open) => {
    const before = await readCatalogue();
    const { registry, close } = await open({ store: "postgres" });
    for (const { tool, args } of readOnlyCalls(registry)) {
      const envelope = await registry.call(tool, args);
      const needsSpecs = "spec_id" in args || "query" in args || args["action"] === "list";
      // Research runs, plans and settings are files, even if specs are in a database.
      if (needsSpecs && !["research", "plan", "config"].includes(tool))
        expect(envelope, tool).toMatchObject(unprepared(0));
    }
    await close();
    expect(await readCatalogue()).toEqual(before);
  });

  it.each([
    ["spec", { action: "list" }],
    ["content", { action: "list" }],
  ])("%s %j names the command that sets it up, and then works", async (tool, args) => {
    const reader = openCli({ store: "postgres" });
    expect(await reader.registry.call(tool, args)).toMatchObject(unprepared(0));
    expect(await reader.registry.call("store", { action: "migrate" })).toMatchObject({
      success: true,
      data: { schema: migrations.length, schema_before: 0 },
    });
    expect(await reader.registry.call(tool, args)).toMatchObject({ success: true });
    await reader.close();
  });

  it.each([
    ["command", openCli],
    ["call of a server over stdio", openStdio],
  ])("no dry run of a %s creates anything, and each answers as in an empty folder", async (_name, open) => {
    const before = await readCatalogue();
    const inDatabase = await open({ store: "postgres" });
    const inFiles = await open({ store: "file" });
    const calls = dryRuns(inDatabase.registry).filter(({ tool }) => tool !== "store");
    const outcomes = async ({ registry }: Pick<typeof inFiles, "registry">) => {
      const all: [tool: string, action: unknown, data: UnknownRecord, error: string | null][] = [];
      for (const { tool, args } of calls) {
        const { data, error } = await registry.call(tool, args);
        all.push([tool, args["action"], data, error]);
      }
      return all;
    };
    const answers = await outcomes(inDatabase);
    expect(answers).toEqual(await outcomes(inFiles));
    const failures = answers.filter(([, action]) => action !== "spec-create");
    expect(failures.map(([, , data]) => data["error_code"])).toEqual(failures.map(() => "SPEC_NOT_FOUND"));
    expect(answers).toContainEqual([
      "authoring",
      "spec-create",
      expect.objectContaining({
        ...{ dry_run: true, spec_id: expect.stringMatching(/^a-/), title: "A", status: "pending" },
        revision: null,
      }),
      null,
    ]);
    await inDatabase.close();
    await inFiles.close();
    expect(await readCatalogue()).toEqual(before);
    expect(await readdir(join(folder, "specs"))).toEqual([]);
  });

  it.each([
    ["command", openCli],
    ["call of a server over stdio", openStdio],
  ])("the first %s that writes sets it up", async (_name, open) => {
    const { registry, close } = await open({ store: "postgres" });
    expect(await registry.call("spec", { action: "list" })).toMatchObject(unprepared(0));
    expect(await registry.call("authoring", { action: "spec-create", name: "First" })).toMatchObject({
      success: true,
      data: { title: "First" },
    });
    expect(await registry.call("spec", { action: "list" })).toMatchObject({ data: { total_count: 1 } });
    await close();
  });
});

describe("on a database with an old schema", () => {
  it("a read fails, and changes nothing; a write brings it up to date", async () => {
    const first = migrations.find(({ number }) => number === 1);
    await sql(toScript(first as NonNullable<typeof first>));
    const before = await readCatalogue();
    const { registry, close } = openCli({ store: "postgres" });
    expect(await registry.call("spec", { action: "list" })).toMatchObject(unprepared(1));
    expect(await readCatalogue()).toEqual(before);
    const made = await registry.call("authoring", { action: "spec-create", name: "First" });
    expect(made.success).toBe(true);
    await close();
  });
});

describe("on a database without the workspace", () => {
  it("a read fails, and adds no workspace; a write adds it", async () => {
    const { registry, close } = openCli({ store: "postgres", workspace: "ours" });
    expect((await registry.call("authoring", { action: "spec-create", name: "First" })).success).toBe(true);
    await close();
    const other = openCli({ store: "postgres", workspace: "theirs" });
    expect(await other.registry.call("spec", { action: "list" })).toMatchObject({
      success: false,
      error: expect.stringMatching(/^The database \S+ has no workspace "theirs"$/),
      data: {
        error_code: "NOT_FOUND",
        remediation:
          "Add its first spec, or run foundry-cli init, to create it. Or use an existing one with --workspace: ours.",
      },
    });
    expect(await sql("SELECT name FROM foundry.workspace")).toEqual([{ name: "ours" }]);
    expect((await other.registry.call("authoring", { action: "spec-create", name: "A" })).success).toBe(true);
    expect(await sql("SELECT name FROM foundry.workspace ORDER BY name")).toEqual([
      { name: "ours" },
      { name: "theirs" },
    ]);
    await other.close();
  });
});

describe("DATABASE_URL", () => {
  it("selects nothing: specs are files, and the database stays as it was", async () => {
    const before = await readCatalogue();
    const { registry, close } = openCli({});
    expect((await registry.call("authoring", { action: "spec-create", name: "A file" })).success).toBe(true);
    expect(await readdir(join(folder, "specs", "pending"))).toHaveLength(1);
    expect(await registry.call("store", { action: "migrate" })).toMatchObject({
      success: false,
      error: "Cannot migrate: the store is file, and files have no schema",
      data: {
        remediation:
          "Use foundry-cli store migrate --store postgres (at DATABASE_URL), or --store postgres://user@host/database.",
      },
    });
    await close();
    expect(await readCatalogue()).toEqual(before);
  });

  it.each([
    ["", "is not set"],
    ["mysql://me:secret@db/team", "is not an address of a PostgreSQL database"],
  ])("has to be an address where postgres is selected: %j", async (url, fault) => {
    vi.stubEnv("DATABASE_URL", url);
    vi.stubEnv("FOUNDRY_STORE", "postgres");
    const { registry, close } = openCli({});
    expect(await registry.call("spec", { action: "list" })).toMatchObject({
      success: false,
      error: `Cannot use PostgreSQL, which FOUNDRY_STORE=postgres selects: DATABASE_URL ${fault}`,
      data: {
        remediation:
          "Set DATABASE_URL to postgres://user@host/database, or use --store postgres://user@host/database. To store specs in files, use --store file.",
      },
    });
    await close();
  });
});
