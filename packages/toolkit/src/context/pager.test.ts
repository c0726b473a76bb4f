import type { Envelope } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";

const rows = ["a", "b", "c", "d", "e"].map((id) => ({ id }));
const page = { default: 2, max: 4 };
const filter = z.object({ kind: z.string().optional() });
const by = { key: ({ id }: { id: string }) => [id] };

const list = defineTool({
  name: "list",
  version: "1.0.0",
  description: "Lists",
  actions: {
    sorted: action({ input: filter, page, run: (_i, ctx) => ({ rows: ctx.page.sorted(rows, by) }) }),
    siblings: action({
      page,
      run: (_i, ctx) => ({ rows: ctx.page.siblings(rows, { id: ({ id }) => id }) }),
    }),
    source: action({
      page,
      run: (_i, ctx) => {
        const { after, offset, count } = ctx.page.place();
        const start = after === null ? offset : rows.findIndex(({ id }) => id > String(after[0]));
        const found = start === -1 ? [] : rows.slice(start, start + count);
        return { rows: ctx.page.found(found, { ...by, totalCount: 5 }) };
      },
    }),
    selfPaged: action({
      page,
      run: (_i, ctx) => {
        ctx.page.tell({ cursor: null, has_more: false, page_size: ctx.page.limit });
        return { rows: [], at: ctx.page.cursor ?? null };
      },
    }),
    forgetful: action({ page, run: () => ({ rows }) }),
    none: action({ run: (_i, ctx) => ({ limit: ctx.page.limit }) }),
  },
});
const registry = createRegistry({ name: "t", version: "1.0.0", tools: [list] });
const ask = (args: object) => registry.call<{ rows: { id: string }[] }>("list", args);

async function walk(args: object): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null | undefined;
  do {
    const envelope: Envelope<{ rows: { id: string }[] }> = await ask({ ...args, cursor });
    if (!envelope.success) throw new Error(envelope.error);
    pages.push(envelope.data.rows.map(({ id }) => id));
    cursor = envelope.meta.pagination?.cursor;
  } while (cursor !== null);
  return pages;
}

describe("a list action", () => {
  it.each(["sorted", "siblings", "source"])("returns every row once: %s", async (name) => {
    expect(await walk({ action: name })).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(await walk({ action: name, limit: 4 })).toEqual([["a", "b", "c", "d"], ["e"]]);
  });

  it("sends the pagination, also of the only page", async () => {
    const first = await ask({ action: "sorted" });
    expect(first.meta.pagination).toEqual({
      cursor: expect.any(String),
      has_more: true,
      total_count: 5,
      page_size: 2,
    });
    expect((await ask({ action: "selfPaged", limit: 3, cursor: "mine" })).data).toEqual({
      rows: [],
      at: "mine",
    });
  });

  it("refuses a cursor of another query or action, and an altered one", async () => {
    const cursor = (await ask({ action: "sorted" })).meta.pagination?.cursor;
    for (const args of [
      { action: "sorted", kind: "x", cursor },
      { action: "source", cursor },
      { action: "sorted", cursor: `${cursor}A` },
      { action: "sorted", cursor: "" },
    ]) {
      expect((await ask(args)).data).toMatchObject({ error_code: "INVALID_CURSOR" });
    }
    expect((await ask({ action: "sorted", limit: 3, cursor })).data.rows).toEqual([
      { id: "c" },
      { id: "d" },
      { id: "e" },
    ]);
  });

  it.each([0, -1, 5, 1.5, "two", true])("refuses a limit of %j", async (limit) => {
    expect((await ask({ action: "sorted", limit })).data).toMatchObject({
      error_type: "validation",
      details: { field: "limit", expected: "a whole number from 1 to 4" },
    });
  });

  it("fails when its handler does not page, and so does a handler that pages without a declared page", async () => {
    expect((await ask({ action: "forgetful" })).error).toBe(
      'Cannot answer: the handler of list(action="forgetful") did not page its list with ctx.page',
    );
    expect((await ask({ action: "none" })).error).toBe(
      'Cannot page the answer of list(action="none"): the action declares no page',
    );
  });
});
