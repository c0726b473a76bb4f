import { checkEnvelope, type Envelope, notFound } from "@foundry-mcp/contract";
import { estimateTokens } from "@foundry-mcp/contract/budget";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ContentArchive, NewContent } from "../archive/content-archive.ts";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry, type Registry } from "../registry/registry.ts";
import type { RegistryOptions } from "../registry/registry-options.ts";

const words = (count: number) => "word ".repeat(count);
const rows = Array.from({ length: 1_000 }, (_, index) => ({ id: `row-${index}`, text: words(10) }));

const tool = defineTool({
  name: "long",
  version: "1.0.0",
  description: "Long answers",
  actions: {
    text: action({
      input: z.object({ count: z.number() }),
      readOnly: true,
      run: ({ count }) => ({ text: words(count) }),
    }),
    list: action({
      readOnly: true,
      page: { default: 500, max: 1_000 },
      output: z.object({ rows: z.array(z.looseObject({})) }),
      run: (_input, { page }) => ({ rows: page.siblings(rows, { id: ({ id }) => id }) }),
    }),
    items: action({ readOnly: true, run: () => ({ rows }) }),
    refuse: action({
      run: () => {
        throw notFound("thing", "x", { remediation: "Use another.", details: { candidates: rows } });
      },
    }),
    warn: action({
      run: (_input, { warn }) => {
        for (let count = 0; count < 300; count++) warn("STALE_CACHE", `Warning ${count} of three hundred`);
        return { id: "a" };
      },
    }),
    fail: action({
      run: () => {
        throw Object.assign(new Error("x"), { code: "ENOSPC" });
      },
    }),
  },
});

/** An archive that records its `put` calls. */
function createSpy(put?: () => Promise<never>) {
  const kept: NewContent[] = [];
  const archive: ContentArchive = {
    put:
      put ??
      (async (content) => {
        kept.push(content);
        return { ...content, archiveId: "", size: 0, createdAt: "", expiresAt: "" };
      }),
    find: async () => undefined,
    read: async () => new Uint8Array(),
    list: async () => [],
    close: async () => {},
  };
  return { archive, kept };
}

function registryWith(options: Partial<RegistryOptions>): Registry {
  return createRegistry({ name: "demo", version: "1.0.0", tools: [tool], ...options });
}

const tokensOf = (envelope: Envelope) => estimateTokens(JSON.stringify(envelope), 1e9);

describe("a response over its budget", () => {
  it("is sent whole where it fits, and where the call asks for no budget", async () => {
    const registry = registryWith({ budget: { maxTokens: 500 } });
    const short = await registry.call("long", { action: "text", count: 100 });
    expect(short.data).toEqual({ text: words(100) });
    expect(short.meta.content_fidelity).toBeUndefined();
    const whole = await registry.call("long", { action: "text", count: 100_000, max_tokens: 0 });
    expect(whole.data).toEqual({ text: words(100_000) });
  });

  it("is reduced, and its whole is archived under the hash in its meta", async () => {
    const { archive, kept } = createSpy();
    const registry = registryWith({ budget: { maxTokens: 500, archive } });
    const envelope = await registry.call("long", { action: "items" }, { requestId: "r1" });
    expect(checkEnvelope(envelope)).toEqual([]);
    expect(tokensOf(envelope)).toBeLessThanOrEqual(500);
    expect(envelope.meta.content_fidelity).toBe("partial");
    const [content] = kept;
    expect(content).toMatchObject({ principal: "local", tool: "long", action: "items", requestId: "r1" });
    expect(Buffer.from(content?.bytes ?? []).toString()).toBe(JSON.stringify({ rows }));
    expect(Object.values(envelope.meta.content_archive_hashes ?? {})).toEqual([content?.hash]);
    expect(envelope.meta.dropped_content_ids).toEqual(content?.contentIds);
  });

  it("is measured in the dialect that is sent", async () => {
    const { archive } = createSpy();
    for (const dialect of ["response-v2", "envelope-v1"] as const) {
      const registry = registryWith({ dialect, budget: { maxTokens: 800, archive } });
      const caller = { surface: "in-process", client: { name: "test" } } as const;
      const { text } = await registry.dispatch({ tool: "long", args: { action: "items" } }, caller);
      expect(estimateTokens(text, 1e9)).toBeLessThanOrEqual(800);
      expect(text).toContain("row-0");
      // The notice names the requested budget in every dialect.
      expect(text).toContain("left out to fit 800 tokens");
    }
  });

  it("becomes a shorter page where it is a list: nothing is dropped or archived", async () => {
    const { archive, kept } = createSpy();
    const registry = registryWith({ budget: { maxTokens: 2_000, archive } });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const envelope = await registry.call<{ rows: { id: string }[] }>("long", {
        action: "list",
        ...(cursor === undefined ? {} : { cursor }),
      });
      if (!envelope.success) throw new Error(envelope.error);
      expect(tokensOf(envelope as Envelope)).toBeLessThanOrEqual(2_000);
      expect(envelope.meta.pagination?.page_size).toBe(envelope.data.rows.length);
      expect(envelope.meta.content_fidelity).toBeUndefined();
      seen.push(...envelope.data.rows.map(({ id }) => id));
      cursor = envelope.meta.pagination?.cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(rows.map(({ id }) => id));
    expect(kept).toEqual([]);
  });

  it.each([
    ["no_archive", undefined],
    ["archive_failed", () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }))],
  ])(
    "without a place for the rest (%s) is whole up to twice the budget, and refused beyond",
    async (reason, put) => {
      const archive = put === undefined ? undefined : createSpy(put).archive;
      const registry = registryWith({ budget: { maxTokens: 500, archive } });
      const whole = await registry.call("long", { action: "text", count: 700 });
      expect(whole.data).toEqual({ text: words(700) });
      expect(whole.meta.warning_details).toEqual([
        {
          code: "FALLBACK_USED",
          severity: "info",
          message:
            "The answer is longer than 500 tokens and sent whole, because there is no archive for the rest",
          context: { reason, max_tokens: 500 },
        },
      ]);
      const refused = await registry.call("long", { action: "text", count: 2_000 });
      expect(refused.data).toMatchObject({
        error_code: "CONTENT_TOO_LARGE",
        remediation: "Request less, or repeat the call with a larger max_tokens; 0 means no limit.",
        details: { max_tokens: 500 },
      });
    },
  );

  it("refuses a max_tokens that is no whole number from 0 up", async () => {
    const registry = registryWith({});
    for (const [max_tokens, constraint] of [
      [-1, "minimum"],
      [1.5, "minimum"],
      ["nine", "type"],
    ] as const) {
      const envelope = await registry.call("long", { action: "items", max_tokens });
      expect(envelope.data["details"]).toEqual({
        field: "max_tokens",
        constraint,
        expected: "a whole number of tokens, 0 for no limit",
        received: max_tokens,
      });
    }
  });

  it("stays a failure where the call failed", async () => {
    const envelope = await registryWith({ budget: { maxTokens: 1 } }).call("long", { action: "fail" });
    expect(envelope.data["error_code"]).toBe("RESOURCE_EXHAUSTED");
  });

  it("archives the details of a failure too", async () => {
    const { archive, kept } = createSpy();
    const registry = registryWith({ budget: { maxTokens: 1_000, archive } });
    const envelope = await registry.call("long", { action: "refuse" });
    expect(envelope.data).toMatchObject({ error_code: "NOT_FOUND", remediation: "Use another." });
    expect(tokensOf(envelope)).toBeLessThanOrEqual(1_000);
    expect(JSON.parse(Buffer.from(kept[0]?.bytes ?? []).toString()).details.candidates).toEqual(rows);
    const lost = await registryWith({ budget: { maxTokens: 1_000 } }).call("long", { action: "refuse" });
    expect(lost.data["error_code"]).toBe("NOT_FOUND");
    expect(lost.meta.warnings?.[0]).toMatch(/ask for less, or for no budget, to see all of it$/);
  });

  it("drops only warnings where they alone exceed the budget", async () => {
    const { archive, kept } = createSpy();
    const registry = registryWith({ budget: { maxTokens: 1_000, archive } });
    const envelope = await registry.call("long", { action: "warn" });
    expect(envelope.data).toEqual({ id: "a" });
    expect(envelope.meta.content_fidelity).toBeUndefined();
    expect(envelope.meta.warnings?.at(-1)).toBe("295 further warnings were left out");
    expect(kept).toEqual([]);
  });

  it("is never reduced in response-v1, which cannot report it", async () => {
    const { archive, kept } = createSpy();
    const caller = { surface: "stdio", client: { name: "test" } } as const;
    const options = { dialect: "response-v1", budget: { maxTokens: 20_000, archive } } as const;
    const ask = async (args: object) =>
      (await registryWith(options).dispatch({ tool: "long", args }, caller)).value as { rows: unknown[] };
    expect((await ask({ action: "list" })).rows).toHaveLength(500);
    expect(await ask({ action: "items", max_tokens: 100 })).toMatchObject({
      success: false,
      error: expect.stringContaining("far longer than 100 tokens"),
    });
    expect((await ask({ action: "items", max_tokens: 0 })).rows).toHaveLength(1_000);
    expect(kept).toEqual([]);
  });

  it("keeps its duration in envelope-v1 in the smallest budget", async () => {
    const registry = registryWith({ dialect: "envelope-v1", tier: "pro", budget: { maxTokens: 20_000 } });
    const caller = { surface: "stdio", client: { name: "test" } } as const;
    const call = { tool: "long", args: { action: "items", max_tokens: 1 } };
    expect((await registry.dispatch(call, caller)).value).toMatchObject({
      duration_ms: expect.any(Number),
      error: { error_code: "too_large" },
    });
  });

  it("names the content tool only where it is offered", async () => {
    const { archive } = createSpy();
    const registry = registryWith({ contentTool: false, budget: { maxTokens: 500, archive } });
    const caller = { surface: "stdio", client: { name: "test" } } as const;
    const { envelope, blocks } = await registry.dispatch({ tool: "long", args: { action: "items" } }, caller);
    expect(envelope.meta.warnings?.[0]).toMatch(/; fetch all of it with the archive id "arc_[0-9a-f]{24}"$/);
    expect(blocks).toEqual([]);
  });

  it.each([
    [{ maxTokens: 1.5 }, "budget.maxTokens is 1.5, not a whole number"],
    [{ maxTokens: -1 }, "budget.maxTokens is -1, not a number from 0 up"],
    [{ countTokens: 5 }, "budget.countTokens is no function"],
    [{ maxTokns: 5 }, "budget has no option maxTokns"],
  ])("cannot be configured with the budget %j", (budget, why) => {
    expect(() => registryWith({ budget: budget as never })).toThrow(why);
  });

  it("is an envelope even where the token counter throws", async () => {
    const countTokens = () => {
      throw new Error("no tokens today");
    };
    const envelope = await registryWith({ budget: { maxTokens: 10, countTokens } }).call("long", {
      action: "items",
    });
    expect(envelope.data["error_code"]).toBe("INTERNAL_ERROR");
  });
});
