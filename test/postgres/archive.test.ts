import { archiveIdOf, contentHashOf } from "@foundry-mcp/toolkit/archive";
import fc from "fast-check";
import { afterAll, describe, expect, it, vi } from "vitest";
import { contentOf, describeArchive, openArchives, recordLog } from "./archive-tools.ts";
import { createTestDatabase, itConcurrent } from "./test-databases.ts";

const testDatabase = await createTestDatabase();
const { open, createWorkspace, run, held, close } = await openArchives(testDatabase);
afterAll(async () => {
  await close();
  await testDatabase.close();
});

describeArchive("postgres archive", async (limits) => open(await createWorkspace(), limits));

describe("postgres archive", () => {
  it("tells another workspace nothing, and counts for each by itself", async () => {
    const limits = { maxBytes: 100 };
    const [one, other] = [open(await createWorkspace(), limits), open(await createWorkspace(), limits)];
    const entry = await one.put(contentOf("k".repeat(100), { contentIds: ["a"] }));
    for (const key of [{ archiveId: entry.archiveId }, { hash: entry.hash }, { contentId: "a" }])
      expect(await other.find("ada", key)).toBeUndefined();
    expect(await other.list("ada")).toEqual([]);
    await expect(other.read(entry)).rejects.toMatchObject({ code: "CONTENT_NOT_FOUND" });
    const own = await other.put(contentOf("k".repeat(100)));
    const next = await other.put(contentOf("l".repeat(100)));
    expect(await other.list("ada")).toEqual([next]);
    await expect(other.read(own)).rejects.toMatchObject({ code: "CONTENT_NOT_FOUND" });
    expect(await one.list("ada")).toEqual([entry]);
    expect(Buffer.from(await one.read(entry)).toString()).toBe("k".repeat(100));
  });

  it("takes any names", async () => {
    const archive = open(await createWorkspace());
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\0", "\ud800", "\udc00", '"', '\\"', '","', "'", "%", "$1", "é", "\u2028"),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          principal: text,
          tool: text,
          action: text,
          requestId: text,
          contentIds: fc.uniqueArray(text, { minLength: 1, maxLength: 5 }),
          body: fc.uuid(),
        }),
        async ({ body, ...names }) => {
          const { bytes, hash } = contentOf(body);
          const entry = await archive.put({ ...names, bytes, hash });
          expect(entry).toMatchObject({
            tool: names.tool,
            action: names.action,
            requestId: names.requestId,
            contentIds: names.contentIds,
          });
          expect(await archive.find(names.principal, { hash })).toEqual(entry);
          for (const contentId of names.contentIds)
            expect((await archive.find(names.principal, { contentId }))?.contentIds).toContain(contentId);
          expect(await archive.find(`${names.principal}\0`, { hash })).toBeUndefined();
        },
      ),
      { numRuns: 60 },
    );
  });

  it("keeps principals apart that are the same in UTF-8", async () => {
    const archive = open(await createWorkspace());
    const entry = await archive.put(contentOf("{}", { principal: "\ud800" }));
    expect(await archive.find("\ud801", { archiveId: entry.archiveId })).toBeUndefined();
    expect(await archive.list("\ud800")).toEqual([entry]);
  });

  it("finds a name only where it is one", async () => {
    const archive = open(await createWorkspace());
    await archive.put(contentOf("1", { contentIds: ['a"x', "a,", "b"] }));
    for (const contentId of ["x", ",", "a", '"', "b]"])
      expect(await archive.find("ada", { contentId })).toBeUndefined();
  });

  it.each([1, 4 * 2 ** 20 - 1, 4 * 2 ** 20, 4 * 2 ** 20 + 1, 9_000_000])(
    "gives back %i bytes as they were",
    async (length) => {
      const archive = open(await createWorkspace());
      const bytes = Buffer.alloc(length);
      for (let at = 0; at < length; at += 1_000) bytes[at] = at % 251;
      const entry = await archive.put(contentOf("", { bytes, hash: contentHashOf(bytes) }));
      expect(entry.size).toBe(length);
      expect(bytes.equals(await archive.read(entry))).toBe(true);
    },
  );

  it("says that content is damaged, logs it, and stores it anew when it is put again", async () => {
    const workspace = await createWorkspace();
    const { logger, errors } = recordLog();
    const archive = open(workspace, { logger });
    const content = contentOf('{"a":1}');
    const entry = await archive.put(content);
    for (const bytes of ["", '{"a":2}', '{"a":1}'.repeat(1_000_000)]) {
      await run(
        "UPDATE foundry.content_object SET bytes = $2, size = length($2::bytea) WHERE workspace = $1",
        workspace,
        Buffer.from(bytes),
      );
      const found = contentOf(bytes).hash;
      await expect(archive.read(entry)).rejects.toMatchObject({
        code: "CONTENT_NOT_FOUND",
        message: `Cannot return the content "${entry.archiveId}": its bytes have the hash ${found}, wanted ${entry.hash}`,
      });
      expect(errors.pop()).toEqual({ archive_id: entry.archiveId, hash: entry.hash, found_hash: found });
      await archive.put(content);
      expect(Buffer.from(await archive.read(entry)).toString()).toBe('{"a":1}');
    }
    expect(errors).toEqual([]);
  });

  it("counts what it holds, and counts anew when it sweeps", async () => {
    const workspace = await createWorkspace();
    const archive = open(workspace, { maxBytes: 1_000 });
    await archive.put(contentOf("a".repeat(300)));
    await archive.put(contentOf("a".repeat(300), { principal: "bob" }));
    await archive.put(contentOf("b".repeat(300)));
    expect(await held(workspace)).toEqual({ sizes: [300, 300], total: 600 });
    await run("UPDATE foundry.content_total SET bytes = 999 WHERE workspace = $1", workspace);
    await archive.put(contentOf("c".repeat(300)));
    expect(await held(workspace)).toEqual({ sizes: [300, 300, 300], total: 900 });
    expect(await archive.list("ada")).toHaveLength(3);
  });

  it("makes room for what comes next only when it is too full", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
    const workspace = await createWorkspace();
    const archive = open(workspace, { maxBytes: 1_000, maxAgeMs: 3_600_000 });
    await archive.put(contentOf("old"));
    vi.setSystemTime(Date.now() + 1_800_000);
    for (const name of ["a", "b", "c"]) await archive.put(contentOf(name.repeat(320)));
    vi.setSystemTime(Date.now() + 1_800_000);
    await archive.put(contentOf("d"));
    await archive.close();
    expect(await held(workspace)).toEqual({ sizes: [1, 320, 320, 320], total: 961 });
    await archive.put(contentOf("e".repeat(50)));
    expect(await held(workspace)).toEqual({ sizes: [1, 50, 320, 320], total: 691 });
    vi.useRealTimers();
  });

  it("removes bytes that nobody names", async () => {
    const workspace = await createWorkspace();
    const archive = open(workspace, { maxBytes: 100 });
    await archive.put(contentOf("a".repeat(60)));
    await run("DELETE FROM foundry.content_entry WHERE workspace = $1", workspace);
    const entry = await archive.put(contentOf("b".repeat(61)));
    expect(await held(workspace)).toEqual({ sizes: [61], total: 61 });
    expect(Buffer.from(await archive.read(entry)).toString()).toBe("b".repeat(61));
  });

  it("keeps what was put where a sweep fails", async () => {
    const { logger, warnings } = recordLog();
    const archive = open(await createWorkspace(), { maxBytes: 100, logger });
    await archive.put(contentOf("a".repeat(60)));
    await run("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$");
    await run(
      "CREATE TRIGGER refuse BEFORE DELETE ON foundry.content_entry FOR EACH ROW EXECUTE FUNCTION refuse()",
    );
    const entry = await archive.put(contentOf("b".repeat(60)));
    await run("DROP FUNCTION refuse CASCADE");
    expect(warnings).toEqual([{ err: expect.objectContaining({ message: "no" }) }]);
    expect(await archive.list("ada")).toHaveLength(2);
    await archive.put(contentOf("c"));
    expect(await archive.find("ada", { hash: entry.hash })).toEqual(entry);
    expect(await archive.list("ada")).toHaveLength(2);
  });

  it("tells why content cannot be put, and leaves nothing half done", async () => {
    const workspace = await createWorkspace();
    const archive = open(workspace);
    await run("ALTER TABLE foundry.content_total RENAME TO content_away");
    const { hash } = contentOf("{}");
    await expect(archive.put(contentOf("{}"))).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: `Cannot store the content ${archiveIdOf("ada", hash)}: the database lacks a table of Foundry`,
    });
    await run("ALTER TABLE foundry.content_away RENAME TO content_total");
    expect(await held(workspace)).toEqual({ sizes: [], total: null });
    expect(await archive.list("ada")).toEqual([]);
  });

  it("leaves the database open when it is closed", async () => {
    const archive = open(await createWorkspace());
    const entry = await archive.put(contentOf("{}"));
    await archive.close();
    expect(await archive.list("ada")).toEqual([entry]);
  });

  itConcurrent("is one object when two servers put the same 2 MB eight times at once", async () => {
    const other = await openArchives(testDatabase);
    const workspace = await createWorkspace();
    const archives = [open(workspace), other.open(workspace)];
    const body = "x".repeat(2_000_000);
    const entries = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        archives[index % 2]?.put(contentOf(body, { contentIds: [`id-${index}`] })),
      ),
    );
    expect(new Set(entries.map((entry) => entry?.archiveId)).size).toBe(1);
    expect(await held(workspace)).toEqual({ sizes: [2_000_000], total: 2_000_000 });
    const [kept, ...others] = (await archives[1]?.list("ada")) ?? [];
    expect(others).toEqual([]);
    expect(kept?.contentIds.toSorted()).toEqual(Array.from({ length: 8 }, (_, index) => `id-${index}`));
    await other.close();
  });

  itConcurrent("gives a second server what the first has put, to its owner alone", async () => {
    const other = await openArchives(testDatabase);
    const workspace = await createWorkspace();
    const entry = await open(workspace).put(contentOf("{}", { contentIds: ["a"] }));
    const second = other.open(workspace);
    expect(await second.find("ada", { contentId: "a" })).toEqual(entry);
    expect(Buffer.from(await second.read(entry)).toString()).toBe("{}");
    expect(await second.find("bob", { archiveId: entry.archiveId })).toBeUndefined();
    expect(await other.open(await createWorkspace()).find("ada", { hash: entry.hash })).toBeUndefined();
    await other.close();
  });
});
