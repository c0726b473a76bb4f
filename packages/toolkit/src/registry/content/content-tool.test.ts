import type { Dialect, Envelope, UnknownRecord } from "@foundry-mcp/contract";
import { fitToBudget } from "@foundry-mcp/contract/budget";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { type ContentArchive, contentHashOf } from "../../archive/content-archive.ts";
import { createMemoryArchive } from "../../archive/memory-archive.ts";
import { defineTool } from "../../define/tool.ts";
import { createRegistry, type Registry } from "../registry.ts";
import { findPart } from "./open-content.ts";

const exact = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

interface Page {
  readonly archive_id: string;
  readonly hash: string;
  readonly content_type: string;
  readonly size: number;
  readonly text?: string;
  readonly total_chars?: number;
  readonly offset?: number;
  readonly items?: readonly unknown[];
}

interface Setup {
  readonly archive: ContentArchive;
  readonly registry: Registry;
  put(data: object, own?: { principal?: string; contentIds?: readonly string[] }): Promise<string>;
}

function setUp(dialect: Dialect = "response-v2", maxTokens = 2_000): Setup {
  const archive = createMemoryArchive();
  const registry = createRegistry({ name: "t", version: "1.0.0", dialect, budget: { maxTokens, archive } });
  return {
    archive,
    registry,
    async put(data, { principal = "local", contentIds = [] } = {}) {
      const bytes = Buffer.from(JSON.stringify(data));
      const origin = { tool: "notes", action: "list", requestId: "req_1", contentIds };
      return (await archive.put({ principal, bytes, hash: contentHashOf(bytes), ...origin })).archiveId;
    },
  };
}

const caller = { surface: "in-process", client: { name: "test" } } as const;

/** Reads all pages of a query; returns the pages and the token count of the longest response. */
async function walk(registry: Registry, args: object): Promise<{ pages: Page[]; most: number }> {
  const pages: Page[] = [];
  let most = 0;
  let cursor: string | null | undefined;
  do {
    const call = { tool: "content", args: { action: "get", ...args, ...(cursor ? { cursor } : {}) } };
    const { envelope, text } = await registry.dispatch(call, caller);
    expect(envelope).toMatchObject({ success: true, error: null });
    expect(envelope.meta).not.toHaveProperty("content_fidelity");
    most = Math.max(most, exact(text));
    pages.push(envelope.data as unknown as Page);
    const { pagination } = envelope.meta;
    cursor = pagination?.cursor;
    expect(pagination?.has_more).toBe(cursor !== null);
  } while (cursor !== null);
  return { pages, most };
}

const textOf = (pages: readonly Page[]) => pages.map(({ text }) => text).join("");
const anyText = fc
  .string({ unit: "binary", minLength: 200, maxLength: 3_000, size: "max" })
  .map((text) => text.toWellFormed());

describe("content(action=get)", () => {
  it("returns short content in one page, by its id and by its hash", async () => {
    const { registry, put } = setUp();
    const data = { title: "Grüße 👋", rows: [1, 2] };
    const archive_id = await put(data);
    const json = JSON.stringify(data);
    const hash = contentHashOf(Buffer.from(json));
    const whole = {
      archive_id,
      hash,
      content_type: "application/json",
      size: Buffer.byteLength(json),
      total_chars: [...json].length,
      offset: 0,
      text: json,
    };
    for (const args of [{ archive_id }, { hash }]) {
      const envelope = await registry.call("content", { action: "get", ...args });
      expect(envelope.data).toEqual(whole);
      expect(envelope.meta.pagination).toEqual({
        cursor: null,
        has_more: false,
        total_count: [...json].length,
        page_size: [...json].length,
      });
    }
  });

  it.each([
    ["Sea level rose 🌊.", "text/plain"],
    ["{ no JSON }", "text/plain"],
    ['{"it":"is"}', "application/json"],
  ])("returns %j unchanged: %s", async (text, content_type) => {
    const { archive, registry } = setUp();
    const bytes = Buffer.from(text);
    const origin = { principal: "local", tool: "notes", requestId: "req_1", contentIds: [] };
    const { archiveId: archive_id, hash } = await archive.put({
      bytes,
      hash: contentHashOf(bytes),
      ...origin,
    });
    const { data } = await registry.call("content", { action: "get", hash });
    const size = bytes.length;
    expect(data).toEqual({
      archive_id,
      hash,
      content_type,
      size,
      total_chars: [...text].length,
      offset: 0,
      text,
    });
    const part = await registry.call("content", { action: "get", hash, content_id: "/nothing" });
    expect(part.data["error_code"]).toBe("CONTENT_NOT_FOUND");
  });

  it.each(["response-v2", "envelope-v1", "response-v1"] as const)(
    "gives any text back piece by piece within any budget, in %s",
    async (dialect) => {
      await fc.assert(
        fc.asyncProperty(anyText, fc.integer({ min: 700, max: 3_000 }), async (text, max_tokens) => {
          const { registry, put } = setUp(dialect);
          const data = { text };
          const archive_id = await put(data);
          const { pages, most } = await walk(registry, { archive_id, max_tokens });
          expect(textOf(pages)).toBe(JSON.stringify(data));
          expect(contentHashOf(Buffer.from(textOf(pages)))).toBe(pages[0]?.hash);
          expect(most).toBeLessThanOrEqual(max_tokens);
          let offset = 0;
          for (const page of pages) {
            expect(page.offset).toBe(offset);
            expect(page.text?.isWellFormed()).toBe(true);
            offset += [...(page.text ?? "")].length;
          }
          expect(offset).toBe(pages[0]?.total_chars);
        }),
        { numRuns: 8 },
      );
    },
  );

  it.each([
    ["words", "Far out in the uncharted backwaters. ".repeat(2_000)],
    ["hex", Array.from({ length: 9_000 }, (_, index) => (index * 2_654_435_761).toString(16)).join("")],
    ["emoji", "👩‍👩‍👧‍👦🇩🇪 ".repeat(1_000)],
    ["quotes", '"\\"\n'.repeat(9_000)],
    ["Arabic", "مرحبا بالعالم ".repeat(2_000)],
    ["indentation", `${" ".repeat(40)}x\n`.repeat(5_000)],
  ])("fills its pages: %s", async (_name, text) => {
    const { registry, put } = setUp();
    const archive_id = await put({ text });
    const { pages, most } = await walk(registry, { archive_id, max_tokens: 4_000 });
    expect(textOf(pages)).toBe(JSON.stringify({ text }));
    expect(most).toBeLessThanOrEqual(4_000);
    // The token estimate is an upper bound; the tests of the estimate check how close it is to the tokenizer.
    expect(pages.length).toBeLessThanOrEqual(2 + Math.ceil((6 * exact(JSON.stringify({ text }))) / 4_000));
  });

  it("makes progress with the smallest budget that holds a character, and reports that budget", async () => {
    const { registry, put } = setUp();
    const archive_id = await put({ text: "👋é中\u0007".repeat(30) });
    const refused = await registry.call("content", { action: "get", archive_id, max_tokens: 60 });
    expect(refused).toMatchObject({ success: false, data: { error_code: "VALIDATION_ERROR" } });
    const least = Number(/at least (\d+)/.exec(String(refused.data["remediation"]))?.[1]);
    expect(least).toBeLessThan(600);
    const { pages, most } = await walk(registry, { archive_id, max_tokens: least });
    expect(textOf(pages)).toBe(JSON.stringify({ text: "👋é中\u0007".repeat(30) }));
    expect(most).toBeLessThanOrEqual(least);
    const below = await registry.call("content", { action: "get", archive_id, max_tokens: least - 1 });
    expect(below.meta).not.toHaveProperty("content_fidelity");
  });

  it("returns the whole without a budget, and at most the limit", async () => {
    const { registry, put } = setUp();
    const text = "👋a".repeat(100_000);
    const archive_id = await put({ text });
    const whole = await walk(registry, { archive_id, content_id: "/text", max_tokens: 0 });
    expect(whole.pages).toHaveLength(1);
    expect(whole.pages[0]).toMatchObject({
      content_type: "text/plain",
      text,
      total_chars: 200_000,
      offset: 0,
    });
    const { pages } = await walk(registry, { archive_id, content_id: "/text", max_tokens: 0, limit: 66_667 });
    expect(pages.map(({ text }) => [...(text ?? "")].length)).toEqual([66_667, 66_667, 66_666]);
    expect(textOf(pages)).toBe(text);
  });

  it("returns a part by its pointer or its own id, as list, text or JSON", async () => {
    const { registry, put } = setUp();
    const data = {
      "a/b": { "~": "tilde" },
      list: [
        { id: "x", n: 1 },
        { task_id: "y", n: [2] },
      ],
      empty: [],
      none: null,
      count: 3,
      map: { first: { id: "/odd", v: 1 } },
    };
    const archive_id = await put(data);
    const get = async (content_id: string) => {
      const { data } = await registry.call("content", { action: "get", archive_id, content_id });
      const { content_type, text, items } = data as unknown as Page;
      return text === undefined ? items : [content_type, text];
    };
    expect(await get("/a~1b/~0")).toEqual(["text/plain", "tilde"]);
    expect(await get("/list")).toEqual(data.list);
    expect(await get("/list/0")).toEqual(["application/json", '{"id":"x","n":1}']);
    expect(await get("/list/1/n")).toEqual([2]);
    expect(await get("x")).toEqual(["application/json", '{"id":"x","n":1}']);
    expect(await get("y")).toEqual(["application/json", '{"task_id":"y","n":[2]}']);
    expect(await get("/odd")).toEqual(["application/json", '{"id":"/odd","v":1}']);
    expect(await get("/empty")).toEqual([]);
    expect(await get("/none")).toEqual(["application/json", "null"]);
    expect(await get("/count")).toEqual(["application/json", "3"]);
    for (const content_id of [
      "",
      "/",
      "/list/2",
      "/list/length",
      "/list/-1",
      "/none/x",
      "/__proto__",
      "z",
      "toString",
    ]) {
      expect((await registry.call("content", { action: "get", archive_id, content_id })).data).toMatchObject({
        error_code: "CONTENT_NOT_FOUND",
        details: { field: "content_id", resource_id: content_id },
      });
    }
  });

  it("pages a list by as many items as the budget holds", async () => {
    const { registry, put } = setUp();
    const rows = Array.from({ length: 1_000 }, (_, index) => ({
      id: `row-${index}`,
      note: "n".repeat(index % 50),
    }));
    const archive_id = await put({ rows });
    const { pages, most } = await walk(registry, { archive_id, content_id: "/rows" });
    expect(pages.flatMap(({ items }) => items)).toEqual(rows);
    expect(most).toBeLessThanOrEqual(2_000);
    expect(pages.length).toBeLessThan(40);
    const limited = await walk(registry, { archive_id, content_id: "/rows", limit: 400, max_tokens: 0 });
    expect(limited.pages.map(({ items }) => items?.length)).toEqual([400, 400, 200]);
  });

  it("reaches an item that is longer than the budget by its pointer, in either archive", async () => {
    const { registry, put } = setUp();
    const rows = [
      { id: "a", note: "short" },
      { id: "b", note: "Sand and shells. ".repeat(2_000) },
      { id: "c" },
    ];
    const archive_id = await put({ rows });
    const args = { action: "get", archive_id, content_id: "/rows" };
    const first = await registry.call("content", args);
    expect(first.data["items"]).toEqual([rows[0]]);
    const second = await registry.call("content", { ...args, cursor: first.meta.pagination?.cursor });
    expect(second.data["items"]).toEqual([{ id: "b", note: expect.stringMatching(/^Sand.*…$/) }]);
    expect(second.meta).toMatchObject({
      content_fidelity: "partial",
      dropped_content_ids: ["/items/0/note"],
      pagination: { has_more: true, page_size: 1, total_count: 3 },
    });
    const [again = ""] = Object.keys(second.meta.content_archive_hashes ?? {});
    expect(again).not.toBe(archive_id);
    for (const names of [
      { archive_id, content_id: "/rows/1" },
      { archive_id: again, content_id: "/items/0" },
      { archive_id: again, content_id: "b" },
    ]) {
      expect(JSON.parse(textOf((await walk(registry, names)).pages))).toEqual(rows[1]);
    }
    const note = await walk(registry, { content_id: "/items/0/note" });
    expect(textOf(note.pages)).toBe(rows[1]?.note);
    const third = await registry.call("content", { ...args, cursor: second.meta.pagination?.cursor });
    expect(third.data["items"]).toEqual([rows[2]]);
  });

  it("keeps paging the same content when its name comes to mean another", async () => {
    const { registry, put } = setUp();
    const [first, second] = ["a", "b"].map((letter) => letter.repeat(30_000));
    await put({ text: first }, { contentIds: ["/text"] });
    const args = { action: "get", content_id: "/text" };
    const one = await registry.call<Page>("content", args);
    await put({ text: second }, { contentIds: ["/text"] });
    const two = await registry.call<Page>("content", { ...args, cursor: one.meta.pagination?.cursor });
    expect(two.data.hash).toBe(one.data.hash);
    expect(two.data.text).toMatch(/^a+$/);
    expect((await registry.call<Page>("content", args)).data.text).toMatch(/^b+$/);
  });

  it("refuses a cursor of another query, and missing or exclusive names", async () => {
    const { registry, put } = setUp();
    const archive_id = await put({ text: "a".repeat(30_000) });
    const other = await put({ text: "b".repeat(30_000) });
    const { meta } = await registry.call("content", { action: "get", archive_id });
    const cursor = meta.pagination?.cursor;
    const behind = Buffer.from('{"offset":99999}').toString("base64url");
    const codeOf = async (args: object) =>
      ((await registry.call("content", { action: "get", ...args })).data as UnknownRecord)["error_code"];
    expect(await codeOf({ archive_id: other, cursor })).toBe("INVALID_CURSOR");
    expect(await codeOf({ archive_id, content_id: "/text", cursor })).toBe("INVALID_CURSOR");
    expect(await codeOf({ archive_id, cursor: behind })).toBe("INVALID_CURSOR");
    expect(await codeOf({})).toBe("MISSING_REQUIRED");
    expect(await codeOf({ archive_id, hash: "sha256:" })).toBe("VALIDATION_ERROR");
  });

  it("reports content of another principal as not found", async () => {
    const { registry, put } = setUp();
    const archive_id = await put({ secret: "s" }, { principal: "ada", contentIds: ["/secret"] });
    const hash = contentHashOf(Buffer.from('{"secret":"s"}'));
    const ask = (args: object, id: string): Promise<Envelope> =>
      registry.call("content", { action: "get", ...args }, { principal: { id } });
    for (const args of [{ archive_id }, { hash }, { content_id: "/secret" }]) {
      const [[field, value]] = Object.entries(args) as unknown as [[string, string]];
      expect((await ask(args, "ada")).success).toBe(true);
      expect((await ask(args, "bob")).data).toEqual({
        error_code: "CONTENT_NOT_FOUND",
        error_type: "not_found",
        remediation: `${field === "content_id" ? "Give archive_id with content_id: a key of content_archive_hashes in the answer. " : ""}Repeat the call that gave the answer, because content expires; content(action="list") lists what is stored.`,
        remedy: { tool: "content", action: "list" },
        details: { resource_type: "content", resource_id: value, field },
      });
    }
    expect((await registry.call("content", { action: "list" }, { principal: { id: "bob" } })).data).toEqual({
      entries: [],
    });
  });
});

describe("content(action=list) and content(action=stat)", () => {
  it("list stored content in pages, and verify its hash", async () => {
    const { registry, put, archive } = setUp();
    for (const n of [1, 2, 3]) await put({ [`n${n}`]: n }, { contentIds: [`/n${n}`] });
    const first = await registry.call("content", { action: "list", limit: 2 });
    expect(first.meta.pagination).toMatchObject({ has_more: true, total_count: 3, page_size: 2 });
    const rest = await registry.call("content", {
      action: "list",
      limit: 2,
      cursor: first.meta.pagination?.cursor,
    });
    const entries = [first, rest].flatMap(({ data }) => data["entries"] as UnknownRecord[]);
    const kept = await archive.list("local");
    expect(entries).toEqual(
      kept.map(({ archiveId, hash, createdAt, expiresAt, contentIds }) => ({
        archive_id: archiveId,
        hash,
        size: 8,
        tool: "notes",
        action: "list",
        request_id: "req_1",
        created_at: createdAt,
        expires_at: expiresAt,
        content_ids: contentIds,
      })),
    );
    for (const entry of entries) {
      const { archive_id, hash } = entry;
      const [content_id] = entry["content_ids"] as string[];
      for (const names of [{ archive_id }, { hash }, { content_id }]) {
        expect((await registry.call("content", { action: "stat", ...names })).data).toEqual({
          ...entry,
          verified: true,
        });
      }
      const missing = await registry.call("content", { action: "stat", archive_id, content_id: "/x" });
      expect(missing.data["error_code"]).toBe("CONTENT_NOT_FOUND");
    }
  });

  it("report damaged content", async () => {
    const { registry, archive } = setUp();
    const { hash } = { hash: contentHashOf(Buffer.from("{}")) };
    const content = {
      principal: "local",
      bytes: Buffer.from("[]"),
      hash,
      tool: "t",
      requestId: "r",
      contentIds: [],
    };
    const { archiveId } = await archive.put(content);
    for (const action of ["get", "stat"]) {
      const failure = await registry.call("content", { action, hash });
      expect(failure.data).toMatchObject({
        error_code: "CONTENT_NOT_FOUND",
        details: { archive_id: archiveId, hash },
      });
      expect(failure.error).toContain(`"${archiveId}"`);
    }
  });
});

describe("every content id of a reduced response", () => {
  it("leads to the part that was left out", () => {
    const item = fc.record({ id: fc.uuid(), body: fc.string({ maxLength: 300 }) });
    const data = fc.record({
      tasks: fc.array(item, { minLength: 3, maxLength: 40 }),
      "odd/~ key": fc.array(fc.string({ maxLength: 100 }), { minLength: 3, maxLength: 40 }),
      text: fc.string({ minLength: 500, maxLength: 4_000 }),
      map: fc.dictionary(fc.string({ maxLength: 10 }), item, { maxKeys: 60 }),
    });
    let named = 0;
    fc.assert(
      fc.property(data, fc.integer({ min: 200, max: 3_000 }), (payload, maxTokens) => {
        const meta = { version: "response-v2", request_id: "req_1" } as const;
        const envelope = { success: true, data: payload, error: null, meta } as const;
        const { dropped } = fitToBudget(envelope, { maxTokens });
        for (const id of dropped?.ids ?? []) {
          expect(findPart(payload, id), id).toBeDefined();
          named++;
        }
      }),
      { numRuns: 60 },
    );
    expect(named).toBeGreaterThan(50);
  });
});

it("A response over its budget is archived, and the archive returns the same bytes", async () => {
  const { registry } = setUp();
  const data = { title: "t", body: "Grüße 👋 ".repeat(3_000) };
  registry.addTool(defineTool({ name: "long", version: "1.0.0", description: "d", run: () => data }));
  const { meta } = await registry.call("long");
  const [[archive_id, hash]] = Object.entries(meta.content_archive_hashes ?? {}) as unknown as [
    [string, string],
  ];
  const { pages } = await walk(registry, { archive_id });
  expect(textOf(pages)).toBe(JSON.stringify(data));
  expect(contentHashOf(Buffer.from(textOf(pages)))).toBe(hash);
});

describe("content of a tree that lost more parts than can be named", () => {
  const phases = Array.from({ length: 12 }, (_, phase) => ({
    title: `Phase ${phase}`,
    tasks: Array.from({ length: 12 }, (_, task) => ({
      task_id: `task-${phase}-${task}`,
      notes: [`Note of ${phase}-${task}: ${"words ".repeat(30)}`],
    })),
  }));
  const tree = defineTool({
    name: "tree",
    version: "1.0.0",
    description: "Gives a tree",
    readOnly: true,
    run: () => ({ spec_id: "s", phases }),
  });

  it.each([600, 800, 1_500, 4_000])(
    "can be fetched by every id of an answer of %i tokens",
    async (maxTokens) => {
      const budget = { maxTokens, archive: createMemoryArchive() };
      const registry = createRegistry({ name: "t", version: "1.0.0", tools: [tree], budget });
      const { meta } = await registry.call("tree");
      const ids = meta.dropped_content_ids ?? [];
      expect(ids.length).toBeGreaterThan(0);
      for (const content_id of ids) {
        const answer = await registry.call("content", { action: "get", content_id, max_tokens: 0 });
        expect([content_id, answer.error]).toEqual([content_id, null]);
      }
    },
  );
});
