import { checkEnvelope, type Envelope } from "@foundry-mcp/contract";
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
    fail: action({
      run: () => {
        throw Object.assign(new Error("x"), { code: "ENOSPC" });
      },
    }),
  },
});

/** An archive that remembers what it was given. */
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

describe("an answer over its budget", () => {
  it("is whole where it fits, and where no budget is asked for", async () => {
    const registry = registryWith({ budget: { maxTokens: 500 } });
    const short = await registry.call("long", { action: "text", count: 100 });
    expect(short.data).toEqual({ text: words(100) });
    expect(short.meta.content_fidelity).toBeUndefined();
    const whole = await registry.call("long", { action: "text", count: 100_000, max_tokens: 0 });
    expect(whole.data).toEqual({ text: words(100_000) });
  });

  it("is reduced, its whole archived under the hash it names", async () => {
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

  it("counts the form that is sent, in every dialect", async () => {
    const { archive } = createSpy();
    for (const dialect of ["response-v2", "envelope-v1", "response-v1"] as const) {
      const registry = registryWith({ dialect, budget: { maxTokens: 800, archive } });
      const caller = { surface: "in-process", client: { name: "test" } } as const;
      const { text } = await registry.dispatch({ tool: "long", args: { action: "items" } }, caller);
      expect(estimateTokens(text, 1e9)).toBeLessThanOrEqual(800);
      expect(text).toContain("row-0");
    }
  });

  it("is a shorter page where it is a list: nothing is dropped, nothing archived", async () => {
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
          message: "The answer is longer than 500 tokens and sent whole: the rest can be kept nowhere",
          context: { reason, max_tokens: 500 },
        },
      ]);
      const refused = await registry.call("long", { action: "text", count: 2_000 });
      expect(refused.data).toMatchObject({
        error_code: "CONTENT_TOO_LARGE",
        remediation: "Ask for less, or repeat the call with a larger max_tokens; 0 gives the answer whole.",
        details: { max_tokens: 500 },
      });
    },
  );

  it("refuses a budget that is none", async () => {
    const registry = registryWith({});
    for (const [max_tokens, constraint] of [
      [-1, "minimum"],
      [1.5, "minimum"],
      ["9", "type"],
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

  it("is a failure all the same where the call failed", async () => {
    const envelope = await registryWith({ budget: { maxTokens: 1 } }).call("long", { action: "fail" });
    expect(envelope.data["error_code"]).toBe("RESOURCE_EXHAUSTED");
  });
});
