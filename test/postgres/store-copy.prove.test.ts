import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrations } from "#built/foundry/postgres/migrations/migrations.js";
import { callCli, plainEnv, runCli } from "../specs/programs.ts";
import { specOf } from "../specs/workspace.ts";
import { createTestDatabase, itConcurrent, type TestDatabase } from "./test-databases.ts";

const fixtures = new URL("../fixtures/specs/", import.meta.url).pathname;
let folder: string;
let database: TestDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "store-copy-"));
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const env = () => ({ DATABASE_URL: database.url, FOUNDRY_STORE_POOL: "1" });
const cli = (cwd: string, ...argv: string[]) => callCli(argv, { cwd: join(folder, cwd), env: env() });
const write = async (name: string, text: string | Buffer) => {
  await mkdir(join(folder, name, ".."), { recursive: true });
  await writeFile(join(folder, name), text);
};
const read = (name: string) => readFile(join(folder, name));

/**
 * Texts that a JSON column would change, because of the order and number of keys, numbers, escapes, line endings, or
 * a byte order mark.
 */
const awkward: Readonly<Record<string, string>> = {
  keys: '{"b":1,"a":2,"b":3,"hierarchy":{"spec-root":{"type":"spec","title":"x","status":"pending","z":0,"a":0}}}',
  numbers: '{"hierarchy":{"spec-root":{"title":"n","x":[1.0,1e2,1E+05,-0,12345678901234567890,0.10,1e300]}}}',
  escapes: '{"hierarchy":{"spec-root":{"title":"\\u2014\\u0041\\/\\u0000\\ud800 \\uD83D\\uDE00 \u2014 😀"}}}',
  lines: '\ufeff{\r\n\t"hierarchy" : {\r\n\t\t"spec-root":\r{ "title":"l" } } }\r\n\r\n',
  list: '{"journal":[ 1 , "two",{"a":[]},\n[ ] ],"hierarchy":{}, "status":null }',
};

describe("foundry-cli store copy", () => {
  it("takes the seven specs of others there and back, byte for byte, and awkward ones", async () => {
    const names: string[] = [];
    for (const status of ["archived", "completed", "pending"])
      for (const file of await readdir(join(fixtures, status))) {
        await write(`from/specs/${status}/${file}`, await readFile(join(fixtures, status, file)));
        names.push(`${status}/${file}`);
      }
    expect(names).toHaveLength(7);
    for (const [id, text] of Object.entries(awkward)) {
      await write(`from/specs/active/${id}.json`, text);
      names.push(`active/${id}.json`);
    }
    await mkdir(join(folder, "to", "specs"), { recursive: true });
    const there = await cli("from", "store", "copy", "--from", "file", "--to", "postgres");
    expect(there.data).toMatchObject({ copied: 12, kept: 0, failed: 0 });
    const again = await cli("from", "store", "copy", "--from", "file", "--to", database.url);
    expect(again.data).toMatchObject({ copied: 0, kept: 12, failed: 0 });
    const back = await cli("to", "store", "copy", "--from", "postgres", "--to", "file");
    expect(back.data).toMatchObject({ copied: 12, kept: 0, failed: 0 });
    for (const name of names)
      expect(await read(`to/specs/${name}`), name).toEqual(await read(`from/specs/${name}`));
  });

  it("says which file is no spec, and takes the others", async () => {
    await write("from/specs/active/good.json", JSON.stringify(specOf("good")));
    await write("from/specs/active/bad.json", '{"hierarchy": {');
    const { data, meta } = await cli("from", "store", "copy", "--from", "file", "--to", "postgres");
    expect(data).toMatchObject({
      copied: 1,
      failed: 1,
      specs: [
        { spec_id: "good", outcome: "copied" },
        { spec_id: "active/bad.json", outcome: "failed", error_code: "INVALID_FORMAT" },
      ],
    });
    expect(meta.warning_details).toMatchObject([{ code: "PARTIAL_FAILURE" }]);
  });

  it("replaces what was changed there only where that is said twice", async () => {
    await write("from/specs/active/one.json", JSON.stringify(specOf("one")));
    await cli("from", "store", "copy", "--from", "file", "--to", "postgres");
    await cli("from", "tasks", "complete", "one", "task-1-1", "--store", "postgres");
    const args = ["store", "copy", "--from", "file", "--to", "postgres"] as const;
    expect((await cli("from", ...args)).data).toMatchObject({
      failed: 1,
      specs: [{ error_code: "DUPLICATE_ENTRY", remediation: expect.stringContaining("--overwrite") }],
    });
    expect(await cli("from", ...args, "--overwrite")).toMatchObject({
      success: false,
      data: { error_code: "MISSING_REQUIRED", details: { field: "confirm" } },
    });
    expect((await cli("from", ...args, "--overwrite", "--dry-run")).data).toMatchObject({
      would_copy: 0,
      would_replace: 1,
      specs: [{ outcome: "would_replace" }],
    });
    expect(await cli("from", ...args, "--dry-run")).toMatchObject({
      success: false,
      data: { error_code: "DUPLICATE_ENTRY", failed: 1 },
    });
    expect((await cli("from", ...args, "--overwrite", "--confirm")).data).toMatchObject({ copied: 1 });
    const { data } = await cli("from", "tasks", "info", "one", "task-1-1", "--store", "postgres");
    expect(data).toMatchObject({ task: { status: "pending" } });
  });

  it("takes nothing away from a spec that is there in another folder", async () => {
    await write("from/specs/active/one.json", JSON.stringify(specOf("one")));
    const args = ["store", "copy", "--from", "file", "--to", "postgres"] as const;
    await cli("from", ...args);
    const claimed = await cli("from", "tasks", "claim", "one", "task-1-1", "--store", "postgres");
    expect(claimed.success).toBe(true);
    await mkdir(join(folder, "from/specs/pending"), { recursive: true });
    await rename(join(folder, "from/specs/active/one.json"), join(folder, "from/specs/pending/one.json"));
    expect(await cli("from", ...args)).toMatchObject({
      success: false,
      data: { error_code: "DUPLICATE_ENTRY", failed: 1, copied: 0 },
    });
    expect(await cli("from", "tasks", "claim", "one", "task-1-1", "--store", "postgres")).toMatchObject({
      data: { error_code: "CONFLICT" },
    });
  });

  it("says which files it leaves: names that are no ids, an id in two folders", async () => {
    await write("from/specs/active/good.json", JSON.stringify(specOf("good")));
    await write("from/specs/active/sp ace.json", JSON.stringify(specOf("space")));
    await write("from/specs/active/twice.json", JSON.stringify(specOf("twice")));
    await write("from/specs/pending/twice.json", JSON.stringify(specOf("twice")));
    const { data } = await cli("from", "store", "copy", "--from", "file", "--to", "postgres");
    const specs = data["specs"] as { spec_id: string; outcome: string; error_code?: string }[];
    expect(specs.map(({ spec_id, outcome, error_code }) => [spec_id, outcome, error_code])).toEqual([
      ["good", "copied", undefined],
      ["twice", "failed", "CONFLICT"],
      ["active/sp ace.json", "failed", "INVALID_FORMAT"],
      [expect.stringMatching(/^(active|pending)\/twice.json$/), "failed", "INVALID_FORMAT"],
    ]);
  });

  it("makes no workspace of a name that is mistyped", async () => {
    await mkdir(join(folder, "from", "specs"), { recursive: true });
    await cli("from", "store", "copy", "--from", "file", "--to", "postgres");
    const args = ["store", "copy", "--from", "postgres", "--to", "file", "--workspace", "typo"];
    expect(await cli("from", ...args)).toMatchObject({
      data: { error_code: "NOT_FOUND", remediation: expect.stringContaining("default") },
    });
  });

  it.each([
    " postgres://me:hush@127.0.0.1:1/x y",
    "host=127.0.0.1 password=hush",
    "'postgres://me:hush@127.0.0.1:1/x'",
    "pg://h/d?PASSWORD=hush",
  ])("repeats no password of an address that is wrong: %j", async (address) => {
    await mkdir(join(folder, "from", "specs"), { recursive: true });
    for (const argv of [
      ["specs", "find", "--store", address],
      ["specs", "find", address],
      ["store", "copy", "--from", "file", "--to", address],
      [address],
    ]) {
      const { stdout, stderr } = await runCli(argv, { cwd: join(folder, "from") });
      expect(`${stdout}${stderr}`, argv.join(" ")).not.toContain("hush");
      expect(JSON.parse(stdout).success).toBe(false);
    }
  });

  it.each([
    [["--from", "file"], "to"],
    [["--from", "nowhere", "--to", "file"], "from"],
    [["--from", "file", "--to", "postgres:x:y@z"], "to"],
  ])("refuses %j, and names %s", async (args, field) => {
    await mkdir(join(folder, "from", "specs"), { recursive: true });
    const { success, data } = await cli("from", "store", "copy", ...args);
    expect([success, (data as { details: { field: string } }).details.field]).toEqual([false, field]);
  });

  itConcurrent("goes on where it was cut short", async () => {
    const ids = Array.from({ length: 40 }, (_, at) => `spec-${String(at).padStart(2, "0")}`);
    for (const id of ids)
      await write(`from/specs/active/${id}.json`, JSON.stringify(specOf(id, { phases: 4, tasks: 20 })));
    const cwd = join(folder, "from");
    const argv = ["store", "copy", "--from", "file", "--to", "postgres"];
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const count = async () => {
      const { rows } = await client
        .query("SELECT count(*)::int AS specs FROM foundry.spec")
        .catch(() => ({ rows: [{ specs: 0 }] }));
      return rows[0].specs as number;
    };
    // The copy is killed after a few specs. Each spec must have been copied completely or not at all.
    const { spawn } = await import("node:child_process");
    const { foundryCli } = await import("../bins.ts");
    const child = spawn(process.execPath, [foundryCli, ...argv], {
      cwd,
      env: { ...plainEnv(cwd), ...env() },
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    while ((await count()) < 5 && child.exitCode === null) await new Promise(setImmediate);
    child.kill("SIGKILL");
    await ended;
    const left = await count();
    const { data } = await cli("from", ...argv);
    const { copied, kept, failed } = data as { copied: number; kept: number; failed: number };
    expect([kept, copied, failed]).toEqual([left, 40 - left, 0]);
    await client.end();
  });
});

describe("foundry-cli store migrate", () => {
  it("tells the SQL, applies it once, and then has nothing to do", async () => {
    await mkdir(join(folder, "any"), { recursive: true });
    const migrate = ["store", "migrate", "--store", "postgres"] as const;
    const dry = await cli("any", ...migrate, "--dry-run");
    const steps = (dry.data["would_apply"] as { number: number; sql: string }[]).map(({ number }) => number);
    expect([dry.data["schema"], steps]).toEqual([0, migrations.map(({ number }) => number)]);
    expect((await cli("any", ...migrate)).data).toMatchObject({
      schema: migrations.length,
      schema_before: 0,
    });
    expect((await cli("any", ...migrate)).data).toMatchObject({ schema: migrations.length, applied: [] });
  });

  it("is needed before a read of a database that nobody has written to; DATABASE_URL alone selects none", async () => {
    await mkdir(join(folder, "any", "specs"), { recursive: true });
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("CREATE TABLE customers (id int)");
    await client.end();
    expect(await cli("any", "specs", "find")).toMatchObject({ success: true, data: { total_count: 0 } });
    const find = ["specs", "find", "--store", "postgres"] as const;
    expect(await cli("any", ...find)).toMatchObject({
      success: false,
      data: {
        error_code: "UNAVAILABLE",
        remediation: "Run foundry-cli store migrate --store postgres, then try again.",
      },
    });
    expect((await cli("any", "store", "migrate", "--store", "postgres")).success).toBe(true);
    expect(await cli("any", ...find)).toMatchObject({ success: true, data: { total_count: 0 } });
  });
});

describe("foundry-cli on a database", () => {
  const cli = (cwd: string, ...argv: string[]) =>
    callCli(argv, { cwd: join(folder, cwd), env: { ...env(), FOUNDRY_STORE: "postgres" } });

  it("does what it does on files: from init to undo", async () => {
    await mkdir(join(folder, "any"), { recursive: true });
    const made = await cli("any", "init");
    expect(made.data["created"]).toEqual([expect.stringMatching(/^spec first-steps/), ".mcp.json"]);
    expect(await readdir(join(folder, "any"))).toEqual([".mcp.json"]);
    const { data: found } = await cli("any", "specs", "find");
    const [{ id }] = found["specs"] as [{ id: string }];
    const { data: next } = await cli("any", "tasks", "next", id);
    await cli("any", "tasks", "complete", id, String(next["task_id"]), "--note", "Done");
    const { data: history } = await cli("any", "specs", "history", id);
    const [, first] = history["entries"] as { revision: string }[];
    await cli("any", "specs", "rollback", id, first?.revision ?? "", "--confirm");
    expect((await cli("any", "tasks", "next", id)).data["task_id"]).toBe(next["task_id"]);
    expect((await cli("any", "validate", "check", id)).data).toMatchObject({ is_valid: true });
    expect((await cli("any", "doctor")).data).toMatchObject({ ok: true });
  });

  it("says what is missing where the address is", async () => {
    await mkdir(join(folder, "any"), { recursive: true });
    const { stdout } = await runCli(["specs", "find", "--store", "postgres"], { cwd: join(folder, "any") });
    expect(JSON.parse(stdout)).toMatchObject({
      data: { error_code: "MISSING_REQUIRED", remediation: expect.stringContaining("DATABASE_URL") },
    });
  });
});
