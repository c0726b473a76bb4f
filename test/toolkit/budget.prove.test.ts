import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkEnvelope, type Envelope } from "@foundry-mcp/contract";
import { action, createRegistry, defineTool } from "@foundry-mcp/toolkit";
import { type ContentArchive, createFileArchive } from "@foundry-mcp/toolkit/archive";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";

// These tests reduce responses of every shape, from 1 kB to 50 MB, in a real call, and fetch them from a real disk.

const row = (index: number) => ({
  id: `task-${index}`,
  title: `Parse section ${index}`,
  notes: "Keep the order of the lines, and the comments between them.",
  done: index % 3 === 0,
  hours: index / 4,
});
const rows = (count: number) => Array.from({ length: Math.ceil(count) }, (_, index) => row(index));
const texts = (count: number, text: string, size: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `part_${index}`,
      text.repeat(Math.ceil(size / count / text.length)),
    ]),
  );

/** For each shape, a function that returns a payload of about the given number of characters. */
const shapes: Readonly<Record<string, (size: number) => object>> = {
  "one list": (size) => ({ rows: rows(size / 150) }),
  "two lists": (size) => ({ left: rows(size / 300), right: rows(size / 300) }),
  "lists in lists": (size) => ({ matrix: Array.from({ length: 30 }, () => rows(size / 4_500)) }),
  "one text": (size) => texts(1, "All work and no play. ", size),
  "many texts": (size) => texts(20, "Words and more words. ", size),
  "a map": (size) => ({ nodes: Object.fromEntries(rows(size / 160).map((each) => [each.id, each])) }),
  numbers: (size) => ({ numbers: Array.from({ length: Math.ceil(size / 8) }, (_, index) => index * 0.5) }),
  emoji: (size) => ({
    lines: Array.from({ length: Math.ceil(size / 44) }, (_, index) => `${index} 😀👩‍👩‍👧‍👦🏳️‍🌈 ここ`),
  }),
  hex: (size) => texts(3, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", size),
  Arabic: (size) => texts(2, "السلام عليكم ورحمة الله وبركاته. ", size),
  "long keys": (size) =>
    Object.fromEntries(
      Array.from({ length: Math.ceil(size / 110) }, (_, index) => [`${"key_".repeat(25)}${index}`, index]),
    ),
  deep: (size) => {
    const depth = 200;
    let node: object = { leaf: "x".repeat(Math.ceil(size / 2)) };
    for (let level = 0; level < depth; level++)
      node = { level, kids: [node], note: "y".repeat(Math.ceil(size / 2 / depth)) };
    return node;
  },
  "no ids": (size) => ({
    lines: Array.from({ length: Math.ceil(size / 60) }, (_, index) => [index, "a line of it"]),
  }),
};

const sizes = [1_000, 30_000, 1_000_000, 10_000_000, 50_000_000];
const many = Array.from({ length: 10_000 }, (_, index) => ({ ...row(index), order: 10_000 - index }));

const maker = defineTool({
  name: "make",
  version: "1.0.0",
  description: "A payload of any shape and size",
  actions: {
    payload: action({
      input: z.object({ shape: z.string(), size: z.number() }),
      readOnly: true,
      run: ({ shape, size }) => shapes[shape]?.(size) ?? {},
    }),
    list: action({
      readOnly: true,
      page: { default: 500, max: 1_000 },
      output: z.object({ tasks: z.array(z.looseObject({})) }),
      run: (_input, { page }) => ({ tasks: page.siblings(many, { id: ({ id }) => id }) }),
    }),
    sorted: action({
      readOnly: true,
      page: { default: 500, max: 1_000 },
      output: z.object({ tasks: z.array(z.looseObject({})) }),
      run: (_input, { page }) => {
        const sorted = many.toSorted((a, b) => a.order - b.order);
        return { tasks: page.sorted(sorted, { key: ({ order }) => [order] }) };
      },
    }),
  },
});

const folder = mkdtempSync(join(tmpdir(), "budget-"));
const archive: ContentArchive = createFileArchive({ folder, maxBytes: 4 * 1024 ** 3 });
const registry = createRegistry({
  name: "budget",
  version: "1.0.0",
  tools: [maker],
  budget: { archive },
});
afterAll(async () => {
  await archive.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the archived text, joined from the pages of `content(action="get")`. */
async function fetchWhole(archiveId: string, args: object): Promise<string> {
  let text = "";
  let cursor: string | undefined;
  do {
    const envelope = await registry.call<{ text: string }>("content", {
      action: "get",
      archive_id: archiveId,
      ...args,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (!envelope.success) throw new Error(envelope.error);
    text += envelope.data.text;
    cursor = envelope.meta.pagination?.cursor ?? undefined;
  } while (cursor !== undefined);
  return text;
}

describe("a response over its budget", () => {
  it.each(Object.keys(shapes))(
    "of the shape %s fits, and gives its whole back",
    async (shape) => {
      for (const size of sizes) {
        for (const max_tokens of [300, 5_000, 20_000]) {
          if (size === 50_000_000 && max_tokens !== 20_000) continue;
          const place = `${shape}, ${size}, ${max_tokens}`;
          const data = shapes[shape]?.(size);
          const whole = JSON.stringify(data);
          const envelope = await registry.call("make", { action: "payload", shape, size, max_tokens });
          const text = JSON.stringify(envelope);
          expect(countTokens(text), place).toBeLessThanOrEqual(max_tokens);
          expect(checkEnvelope(envelope), place).toEqual([]);
          expect(envelope.success, place).toBe(true);
          const { content_fidelity = "full", content_archive_hashes = {}, warning_details } = envelope.meta;
          if (content_fidelity === "full") {
            expect(envelope.data, place).toEqual(data);
            continue;
          }
          expect(envelope.meta.warnings?.at(-1), place).toMatch(
            /^\d+ of \d+ parts left out to fit \d+ tokens; fetch all of it with content\(action="get"/,
          );
          // If the budget is hardly larger than the envelope, the warning has only its message.
          if (max_tokens > 300) {
            expect(warning_details?.at(-1), place).toMatchObject({
              code: "CONTENT_TRUNCATED",
              context: { dropped_count: expect.any(Number), total_count: expect.any(Number) },
            });
          }
          const [[archiveId, hash] = ["", ""]] = Object.entries(content_archive_hashes);
          const fetched = await fetchWhole(archiveId, { max_tokens: 0 });
          expect(fetched === whole, place).toBe(true);
          expect(`sha256:${createHash("sha256").update(fetched).digest("hex")}`, place).toBe(hash);
        }
      }
    },
    300_000,
  );

  it("is fetched back page by page within a small budget too", async () => {
    const args = { action: "payload", shape: "Arabic", size: 200_000, max_tokens: 2_000 };
    const { meta } = await registry.call("make", args);
    const [[archiveId] = [""]] = Object.entries(meta.content_archive_hashes ?? {});
    const fetched = await fetchWhole(archiveId, { max_tokens: 2_000 });
    expect(fetched).toBe(JSON.stringify(shapes["Arabic"]?.(200_000)));
  });

  it("lists the ids of dropped parts, and each id fetches its part", async () => {
    const args = { action: "payload", shape: "one list", size: 1_000_000, max_tokens: 5_000 };
    const { meta } = await registry.call("make", args);
    const ids = meta.dropped_content_ids ?? [];
    // The list is named in place of parts that have no separate entry.
    expect([ids[0], ids.length]).toEqual(["/rows", 100]);
    for (const content_id of ids.slice(1, 10)) {
      const { data } = await registry.call<{ text: string }>("content", { action: "get", content_id });
      const index = Number(content_id.replace("task-", ""));
      expect(JSON.parse((data as { text: string }).text)).toEqual(row(index));
    }
  });

  it.each(["list", "sorted"])(
    "is a page (%s): 10,000 rows are walked without a gap or a repeat",
    async (how) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const envelope = await registry.call<{ tasks: { id: string }[] }>("make", {
          action: how,
          max_tokens: 1_000,
          limit: 1_000,
          ...(cursor === undefined ? {} : { cursor }),
        });
        if (!envelope.success) throw new Error(envelope.error);
        expect(countTokens(JSON.stringify(envelope))).toBeLessThanOrEqual(1_000);
        expect(envelope.meta.content_fidelity).toBeUndefined();
        expect(checkEnvelope(envelope as Envelope)).toEqual([]);
        seen.push(...envelope.data.tasks.map(({ id }) => id));
        cursor = envelope.meta.pagination?.cursor ?? undefined;
        expect(envelope.meta.pagination?.has_more).toBe(cursor !== undefined);
      } while (cursor !== undefined);
      const ids = many.map(({ id }) => id);
      expect(seen).toEqual(how === "list" ? ids : ids.toReversed());
    },
  );
});
