import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { archiveIdOf, type ContentArchive, contentHashOf, type NewContent } from "./content-archive.ts";
import type { ArchiveLimits } from "./create-archive.ts";

/** Creates content in the same form as the budget step of dispatch. */
export function contentOf(text: string, own: Partial<NewContent> = {}): NewContent {
  const bytes = Buffer.from(text);
  return {
    principal: "ada",
    bytes,
    hash: contentHashOf(bytes),
    tool: "notes",
    action: "list",
    requestId: "req_1",
    contentIds: [],
    ...own,
  };
}

/** Tests the behavior of every archive, regardless of its storage. */
export function describeArchive(
  name: string,
  open: (limits?: ArchiveLimits) => Promise<ContentArchive>,
): void {
  describe(name, () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) }));
    afterEach(() => void vi.useRealTimers());
    const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
    const textOf = async (archive: ContentArchive, key: Parameters<ContentArchive["find"]>[1]) => {
      const entry = await archive.find("ada", key);
      return entry && Buffer.from(await archive.read(entry)).toString();
    };

    it("returns content by each of its names", async () => {
      const archive = await open();
      const content = contentOf('{"rows":[1,2]}', { contentIds: ["row-2", "/rows/1"] });
      const entry = await archive.put(content);
      expect(entry).toEqual({
        archiveId: archiveIdOf("ada", content.hash),
        hash: content.hash,
        size: 14,
        tool: "notes",
        action: "list",
        requestId: "req_1",
        contentIds: ["row-2", "/rows/1"],
        createdAt: "2026-01-01T00:00:00.000Z",
        expiresAt: "2026-01-08T00:00:00.000Z",
      });
      for (const key of [
        { archiveId: entry.archiveId },
        { hash: entry.hash },
        { contentId: "row-2" },
        { contentId: "/rows/1" },
      ]) {
        expect(await archive.find("ada", key)).toEqual(entry);
        expect(await textOf(archive, key)).toBe('{"rows":[1,2]}');
      }
      expect(await archive.list("ada")).toEqual([entry]);
    });

    it("leaves out the action of a plain tool", async () => {
      const archive = await open();
      const entry = await archive.put(contentOf("{}", { action: undefined }));
      expect(Object.keys(entry)).not.toContain("action");
      expect(await archive.find("ada", { hash: entry.hash })).toEqual(entry);
    });

    it("copies any bytes, also none", async () => {
      const archive = await open();
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
          const given = Uint8Array.from(bytes);
          const entry = await archive.put(contentOf("", { bytes: given, hash: contentHashOf(bytes) }));
          given.fill(0);
          const first = await archive.read(entry);
          expect(Buffer.from(first)).toEqual(Buffer.from(bytes));
          first.fill(0);
          expect(Buffer.from(await archive.read(entry))).toEqual(Buffer.from(bytes));
        }),
        { numRuns: 30 },
      );
    });

    it("reveals nothing to another principal", async () => {
      const archive = await open();
      const entry = await archive.put(contentOf("{}", { contentIds: ["a"] }));
      for (const key of [{ archiveId: entry.archiveId }, { hash: entry.hash }, { contentId: "a" }]) {
        for (const other of ["bob", "", "ada/../ada", "Ada"]) {
          expect(await archive.find(other, key)).toBeUndefined();
        }
      }
      expect(await archive.list("bob")).toEqual([]);
      const own = await archive.put(contentOf("{}", { principal: "bob" }));
      expect(own.archiveId).not.toBe(entry.archiveId);
      expect(await archive.list("bob")).toEqual([own]);
      expect(await archive.list("ada")).toEqual([entry]);
    });

    it.each([
      "",
      "arc_",
      "../../../etc/passwd",
      "arc_000000000000000000000000/../x",
      "__proto__",
      "\0",
      "sha256:..",
      `sha256:${"g".repeat(64)}`,
      `sha256:${"0".repeat(64)}`,
      "..".padEnd(400, "/.."),
    ])("finds nothing under %j", async (name) => {
      const archive = await open();
      await archive.put(contentOf("{}"));
      for (const key of [{ archiveId: name }, { hash: name }, { contentId: name }]) {
        expect(await archive.find("ada", key)).toBeUndefined();
      }
    });

    it("has one entry for the same content of one principal, with the last time", async () => {
      const archive = await open();
      const first = await archive.put(contentOf("{}", { contentIds: ["a"] }));
      pass(1_000);
      const second = await archive.put(contentOf("{}", { contentIds: ["b"], requestId: "req_2" }));
      expect(second).toEqual({
        ...first,
        requestId: "req_2",
        contentIds: ["b", "a"],
        createdAt: "2026-01-01T00:00:01.000Z",
        expiresAt: "2026-01-08T00:00:01.000Z",
      });
      expect(await archive.list("ada")).toEqual([second]);
      expect(await archive.find("ada", { contentId: "a" })).toEqual(second);
    });

    it("loses no content id when the same content is put many times at once", async () => {
      const archive = await open();
      const ids = Array.from({ length: 20 }, (_, index) => `id-${index}`);
      await Promise.all(ids.map((id) => archive.put(contentOf("{}", { contentIds: [id] }))));
      const [entry, ...others] = await archive.list("ada");
      expect(others).toEqual([]);
      expect(entry?.contentIds.toSorted()).toEqual(ids.toSorted());
    });

    it("finds by a content id the newest content that lists it", async () => {
      const archive = await open();
      for (const text of ["1", "2", "3"]) {
        await archive.put(contentOf(text, { contentIds: text === "3" ? ["other"] : ["same"] }));
        pass(1);
      }
      expect(await textOf(archive, { contentId: "same" })).toBe("2");
      await archive.put(contentOf("1", { contentIds: [] }));
      expect(await textOf(archive, { contentId: "same" })).toBe("1");
      expect((await archive.list("ada")).map(({ size, createdAt }) => [size, createdAt.slice(-5)])).toEqual([
        [1, ".001Z"],
        [1, ".002Z"],
        [1, ".003Z"],
      ]);
    });

    it("hides content from the moment it expires, unless it was put again", async () => {
      const archive = await open({ maxAgeMs: 1_000 });
      const old = await archive.put(contentOf("old", { contentIds: ["a"] }));
      const again = await archive.put(contentOf("again"));
      pass(999);
      expect(await archive.find("ada", { hash: old.hash })).toEqual(old);
      await archive.put(contentOf("again"));
      pass(1);
      for (const key of [{ archiveId: old.archiveId }, { hash: old.hash }, { contentId: "a" }]) {
        expect(await archive.find("ada", key)).toBeUndefined();
      }
      expect((await archive.list("ada")).map(({ archiveId }) => archiveId)).toEqual([again.archiveId]);
      expect(await textOf(archive, { hash: again.hash })).toBe("again");
    });

    it("removes expired content at a later put", async () => {
      const archive = await open({ maxAgeMs: 1_000 });
      const old = await archive.put(contentOf("old"));
      const shared = await archive.put(contentOf("shared"));
      pass(3_600_000);
      await archive.put(contentOf("new"));
      await archive.put(contentOf("shared", { principal: "bob" }));
      pass(3_600_000);
      await archive.put(contentOf("newer"));
      await expect
        .poll(() =>
          archive.read(old).then(
            () => "kept",
            ({ code }) => code,
          ),
        )
        .toBe("CONTENT_NOT_FOUND");
      expect(await archive.find("ada", { hash: shared.hash })).toBeUndefined();
    });

    it("stays within maxBytes, and removes the oldest first", async () => {
      const archive = await open({ maxBytes: 1_000 });
      const texts = Array.from({ length: 30 }, (_, index) => `${index}`.padStart(90, "."));
      for (const text of texts) {
        pass(1);
        await archive.put(contentOf(text));
        const kept = await archive.list("ada");
        expect(kept.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(1_000);
        const read = await Promise.all(
          kept.map(async (entry) => Buffer.from(await archive.read(entry)).toString()),
        );
        const end = texts.indexOf(text) + 1;
        expect(read).toEqual(texts.slice(end - read.length, end));
        expect(read.length).toBeGreaterThanOrEqual(Math.min(end, 9));
      }
    });

    it("does not let one principal push out the content of another", async () => {
      const archive = await open({ maxBytes: 1_000 });
      const own = [];
      for (const text of ["one", "two"]) {
        own.push(await archive.put(contentOf(text.padStart(90, "."), { principal: "bob" })));
        pass(1);
      }
      for (let index = 0; index < 30; index++) {
        pass(1);
        await archive.put(contentOf(`${index}`.padStart(90, ".")));
      }
      expect(await archive.list("bob")).toEqual(own);
      expect((await archive.list("ada")).length).toBeGreaterThanOrEqual(7);
    });

    it("counts shared bytes once, and keeps them while one principal refers to them", async () => {
      const archive = await open({ maxBytes: 250 });
      const first = await archive.put(contentOf("s".repeat(100)));
      pass(1);
      await archive.put(contentOf("s".repeat(100), { principal: "bob" }));
      pass(1);
      await archive.put(contentOf("a".repeat(100)));
      expect(await archive.list("ada")).toHaveLength(2);
      pass(1);
      await archive.put(contentOf("b".repeat(100)));
      const kept = [...(await archive.list("ada")), ...(await archive.list("bob"))];
      expect(kept.map(({ archiveId }) => archiveId)).not.toContain(first.archiveId);
      for (const entry of kept) expect(contentHashOf(await archive.read(entry))).toBe(entry.hash);
    });

    it("refuses content that is larger than maxBytes, and keeps the rest", async () => {
      const archive = await open({ maxBytes: 100 });
      const kept = await archive.put(contentOf("k".repeat(100)));
      const large = contentOf("l".repeat(101));
      await expect(archive.put(large)).rejects.toMatchObject({
        code: "INTERNAL_ERROR",
        message: `Cannot store the content ${large.hash}: it has 101 bytes, the archive holds 100`,
      });
      expect(await archive.list("ada")).toEqual([kept]);
    });

    it("reports bytes that do not match their hash", async () => {
      const archive = await open();
      const { hash } = contentOf("wanted");
      const entry = await archive.put(contentOf("found", { hash }));
      await expect(archive.read(entry)).rejects.toMatchObject({
        code: "CONTENT_NOT_FOUND",
        message: `Cannot return the content "${entry.archiveId}": its bytes have the hash ${contentOf("found").hash}, wanted ${hash}`,
        options: { details: { archive_id: entry.archiveId, hash, found_hash: contentOf("found").hash } },
      });
    });

    it.each([
      [{ maxAgeMs: 0 }, "Cannot create an archive: maxAgeMs is 0, not a number from 1 up"],
      [{ maxAgeMs: -1 }, "Cannot create an archive: maxAgeMs is -1, not a number from 1 up"],
      [{ maxAgeMs: "7d" as never }, "Cannot create an archive: maxAgeMs is 7d, not a number from 1 up"],
      [{ maxBytes: null as never }, "Cannot create an archive: maxBytes is null, not a number from 1 up"],
      [{ maxBytes: Number.NaN }, "Cannot create an archive: maxBytes is NaN, not a number from 1 up"],
    ])("is not created with %j", async (limits, message) => {
      await expect(open(limits)).rejects.toMatchObject({ name: "ContractError", message });
    });
  });
}
