import { setTimeout as pause } from "node:timers/promises";
import { type ContentArchive, type ContentEntry, contentHashOf } from "@foundry-mcp/toolkit/archive";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { contentOf, openArchives, recordLog } from "./archive-tools.ts";
import { createTestDatabase, describeConcurrent, type TestDatabase } from "./test-databases.ts";

type Server = Awaited<ReturnType<typeof openArchives>>;
const codeOf = (err: unknown) => (err as { code?: string }).code ?? String(err);

/** Checks that every entry has its bytes, and that the recorded sizes equal the actual sizes. */
async function expectSound(server: Server, workspace: number) {
  const { sizes, total } = (await server.held(workspace)) ?? { sizes: [], total: 0 };
  expect(total).toBe(sizes.reduce((sum, size) => sum + size, 0));
  expect(
    await server.run(
      `SELECT digest FROM foundry.content_entry FULL JOIN foundry.content_object USING (workspace, digest)
        WHERE workspace = $1 AND (archive_id IS NULL OR size IS NULL)`,
      workspace,
    ),
  ).toEqual([]);
}

describeConcurrent("postgres archive, several servers", () => {
  let database: TestDatabase;
  let servers: readonly [Server, Server, Server];
  beforeAll(async () => {
    database = await createTestDatabase();
    servers = [await openArchives(database), await openArchives(database), await openArchives(database)];
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await database.close();
  });

  it("read whole content or none while others write and sweep", async () => {
    const [first, second, third] = servers;
    const workspace = await first.createWorkspace();
    // All contents together have 60 MB, so that puts evict content that is being read.
    const limits = { maxBytes: 20_000_000 };
    const kinds = Array.from({ length: 12 }, (_, kind) => {
      const bytes = Buffer.alloc(5_000_000, `kind ${kind}, `);
      return contentOf("", { bytes, hash: contentHashOf(bytes) });
    });
    let isWriting = true;
    const counts = { read: 0, gone: 0 };
    const write = async (archive: ContentArchive, principal: string, from: number) => {
      for (let turn = 0; turn < 40; turn++) {
        const kind = kinds[(from + turn * 5) % kinds.length];
        if (kind !== undefined) await archive.put({ ...kind, principal });
      }
    };
    const read = async (archive: ContentArchive, principal: string) => {
      while (isWriting) {
        for (const entry of await archive.list(principal)) {
          try {
            expect((await archive.read(entry)).length).toBe(5_000_000);
            counts.read++;
          } catch (err) {
            expect(codeOf(err)).toBe("CONTENT_NOT_FOUND");
            counts.gone++;
          }
        }
      }
    };
    const readers = ["ada", "bob"].map((principal) => read(third.open(workspace, limits), principal));
    const writers = ["ada", "bob"].flatMap((principal) => [
      write(first.open(workspace, limits), principal, 0),
      write(second.open(workspace, limits), principal, 7),
    ]);
    await Promise.all(writers);
    isWriting = false;
    await Promise.all(readers);
    expect(counts.read).toBeGreaterThan(20);
    expect(counts.gone).toBeGreaterThan(0);
    await expectSound(first, workspace);
    expect((await first.held(workspace))?.total).toBeLessThanOrEqual(limits.maxBytes);
  });

  it("never leave an entry without its bytes: 2,000 puts of 20 contents into room for 6", async () => {
    const [first, second] = servers;
    const workspace = await first.createWorkspace();
    const { logger, warnings } = recordLog();
    const archives = [first, second].map((server) => server.open(workspace, { maxBytes: 600, logger }));
    const put = async (archive: ContentArchive, seed: number) => {
      for (let turn = 0; turn < 250; turn++) {
        const text = `${(seed * 7 + turn * 3) % 20}`.padStart(100, ".");
        await archive.put(contentOf(text, { principal: `p${(seed + turn) % 3}` }));
      }
    };
    await Promise.all(
      archives.flatMap((archive, at) => [0, 1, 2, 3].map((seed) => put(archive, seed + at * 4))),
    );
    expect(warnings).toEqual([]);
    await expectSound(first, workspace);
    expect((await first.held(workspace))?.total).toBeLessThanOrEqual(600);
  });

  it("lose nothing that was acknowledged while connections are cut", async () => {
    const [first, second, third] = servers;
    const workspace = await first.createWorkspace();
    const killer = new pg.Client({ connectionString: database.url, application_name: "killer" });
    await killer.connect();
    let isWriting = true;
    let cuts = 0;
    const cut = async () => {
      while (isWriting) {
        const { rows } = await killer.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'foundry-mcp' AND state <> 'idle'`);
        cuts += rows.length;
        await pause(15);
      }
    };
    const kept: ContentEntry[] = [];
    const failures: string[] = [];
    const write = async (archive: ContentArchive, name: string) => {
      for (let turn = 0; turn < 60; turn++) {
        const text = `${name} ${turn} `.repeat(10_000);
        try {
          kept.push(await archive.put(contentOf(text, { contentIds: [`${name}-${turn}`] })));
        } catch (err) {
          failures.push(codeOf(err));
        }
      }
    };
    const cutting = cut();
    const writers = [first, second].flatMap((server) => {
      const archive = server.open(workspace);
      return ["a", "b", "c", "d"].map((name) => write(archive, `${servers.indexOf(server)}${name}`));
    });
    await Promise.all(writers);
    isWriting = false;
    await cutting;
    await killer.end();
    expect(cuts).toBeGreaterThan(20);
    expect(failures.filter((code) => code !== "UNAVAILABLE")).toEqual([]);
    expect(kept.length).toBeGreaterThan(240);
    const archive = third.open(workspace);
    for (const entry of kept) {
      expect(await archive.find("ada", { contentId: entry.contentIds[0] ?? "" })).toEqual(entry);
      expect(contentHashOf(await archive.read(entry))).toBe(entry.hash);
    }
    await expectSound(third, workspace);
  });

  it("keep 100 MB in one piece", async () => {
    const [first, second] = servers;
    const workspace = await first.createWorkspace();
    const bytes = Buffer.alloc(100_000_000, "a hundred million bytes, ");
    const content = contentOf("", { bytes, hash: contentHashOf(bytes) });
    const [one, other] = await Promise.all([
      first.open(workspace).put(content),
      second.open(workspace).put({ ...content, principal: "bob" }),
    ]);
    expect([one.size, other.size]).toEqual([100_000_000, 100_000_000]);
    expect(bytes.equals(await second.open(workspace).read(one))).toBe(true);
    expect(await first.held(workspace)).toEqual({ sizes: [100_000_000], total: 100_000_000 });
  });
});
