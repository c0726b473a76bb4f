import fc from "fast-check";
import { countTokens as countExactly } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { errorResponse, successResponse } from "../builders/responses.ts";
import { serializeEnvelope } from "../builders/serialize-envelope.ts";
import { checkEnvelope } from "../envelope/check-envelope.ts";
import type { Envelope } from "../envelope/envelope.ts";
import type { UnknownRecord } from "../json/json-value.ts";
import { pageSorted } from "../paging/page.ts";
import { anyEnvelope, jsonObject } from "../testing/arbitraries.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import type { FitResult } from "./budget-options.ts";
import { fitToBudget } from "./fit-to-budget.ts";
import type { DroppedPart } from "./reduce-data.ts";
import { ownIdOf } from "./reduction-levels.ts";

const archive = { id: "archive-1", hash: `sha256:${"0".repeat(64)}` };
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    task_id: `task-${index}`,
    title: `Write part ${index} of the parser`,
    note: "n".repeat(40),
  }));

/** Generates payloads that are larger than the budgets in the tests. */
const bigData = fc.oneof(
  fc.array(jsonObject, { minLength: 5, maxLength: 60 }).map((items) => ({ items })),
  fc.dictionary(fc.string({ maxLength: 8 }), jsonObject, { minKeys: 5, maxKeys: 60 }),
  fc.record({
    text: fc.string({ unit: "grapheme", minLength: 200, maxLength: 3_000 }),
    rows: fc.array(fc.record({ id: fc.string({ maxLength: 5 }), body: fc.string({ maxLength: 400 }) }), {
      maxLength: 30,
    }),
  }),
  fc
    .array(fc.array(fc.array(fc.string({ maxLength: 20 }), { maxLength: 8 }), { maxLength: 8 }), {
      minLength: 2,
      maxLength: 8,
    })
    .map((nested) => ({ nested })),
  jsonObject,
);

const sizeOf = ({ envelope }: FitResult) => estimateTokens(JSON.stringify(envelope));

/** Returns the smallest possible envelope, without payload and optional metadata. */
const smallestOf = (envelope: Envelope) => fitToBudget(envelope, { maxTokens: 1, archive });

/** Restores the dropped parts from the original payload; the result must equal the original. */
function putBack(original: unknown, kept: unknown, parts: readonly DroppedPart[], pointer = ""): unknown {
  const own = parts.filter((part) => part.pointer === pointer);
  if (own.some(({ kind }) => kind === "text")) {
    const [{ kept: length }] = own as [DroppedPart];
    expect(kept).toBe(`${(original as string).slice(0, length).toWellFormed()}…`);
    return original;
  }
  if (Array.isArray(original)) {
    const length = own[0]?.kept ?? original.length;
    expect((kept as unknown[]).length).toBe(length);
    return original.map((item, index) =>
      index < length ? putBack(item, (kept as unknown[])[index], parts, `${pointer}/${index}`) : item,
    );
  }
  if (typeof original !== "object" || original === null) return kept;
  const keys = Object.keys(original);
  const length = own.find(({ kind }) => kind === "entries")?.kept ?? keys.length;
  const entries = keys.map((key, index) => {
    const inner = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const value = (original as UnknownRecord)[key];
    const isGone = index >= length || parts.some((part) => part.kind === "field" && part.pointer === inner);
    expect(Object.hasOwn(kept as object, key)).toBe(!isGone);
    return [key, isGone ? value : putBack(value, (kept as UnknownRecord)[key], parts, inner)];
  });
  return Object.fromEntries(entries);
}

/** Lists the pointers of all values that a payload lost, with the ids that could name these values. */
function listLost(data: UnknownRecord, parts: readonly DroppedPart[]) {
  return parts.flatMap(({ pointer, kind, kept, total }) => {
    if (kind === "text" || kind === "field") return [{ pointer, id: undefined }];
    const container = resolve(data, pointer) as Readonly<Record<string, unknown>>;
    const keys = Object.keys(container).slice(kept, total);
    return keys
      .filter((key) => container[key] !== undefined)
      .map((key) => ({
        pointer: `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
        id: ownIdOf(container[key]),
      }));
  });
}

function resolve(data: unknown, pointer: string): unknown {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce((value, step) => (value as UnknownRecord)[step], data);
}

describe("the names of dropped content", () => {
  const item = fc.record({
    id: fc.option(fc.string({ maxLength: 6 }), { nil: undefined }),
    title: fc.string({ maxLength: 120 }),
    notes: fc.array(fc.string({ maxLength: 60 }), { maxLength: 6 }),
  });
  const tree = fc.record({
    title: fc.string({ maxLength: 400 }),
    phases: fc.array(
      fc.record({ name: fc.string({ maxLength: 50 }), tasks: fc.array(item, { maxLength: 12 }) }),
      {
        maxLength: 12,
      },
    ),
    map: fc.dictionary(fc.string({ maxLength: 8 }), item, { maxKeys: 50 }),
  });

  it("cover every part that was dropped, itself or from above", () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 300, max: 3_000 }), (data, maxTokens) => {
        const { envelope, dropped } = fitToBudget(successResponse(data), { maxTokens, archive });
        const names = new Set(envelope.meta.dropped_content_ids ?? []);
        expect(names.size).toBeLessThanOrEqual(100);
        if (dropped === null || names.size === 0) return;
        for (const { pointer, id } of listLost(data, dropped.parts)) {
          const above = pointer.split("/").map((_, index, steps) => steps.slice(0, index + 1).join("/"));
          const isNamed = (id !== undefined && names.has(id)) || above.some((each) => names.has(each));
          expect([pointer, isNamed]).toEqual([pointer, true]);
        }
        for (const name of names) if (name.startsWith("/")) expect(resolve(data, name)).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });
});

describe("fitToBudget", () => {
  it("returns a response that fits unchanged", () => {
    const envelope = successResponse({ a: 1 });
    expect(fitToBudget(envelope, { maxTokens: 20_000 })).toEqual({
      envelope,
      fidelity: "full",
      dropped: null,
    });
    expect(fitToBudget(successResponse({ rows: rows(5_000) }), { maxTokens: 0 }).dropped).toBeNull();
  });

  it("drops items from the end of a list and reports which, how many and how to fetch them", () => {
    const envelope = successResponse({ spec_id: "my-spec", tasks: rows(500) }, { requestId: "req_1" });
    const { envelope: fitted, fidelity, dropped } = fitToBudget(envelope, { maxTokens: 3_000, archive });
    const kept = (fitted.data as { tasks: unknown[] }).tasks.length;
    const message = `${500 - kept} of 500 parts left out to fit 3000 tokens; fetch all of it with content(action="get", archive_id="archive-1")`;
    expect(fitted).toEqual({
      success: true,
      data: { spec_id: "my-spec", tasks: rows(500).slice(0, kept) },
      error: null,
      meta: {
        version: "response-v2",
        request_id: "req_1",
        warnings: [message],
        warning_details: [
          {
            code: "CONTENT_TRUNCATED",
            severity: "info",
            message,
            context: {
              dropped_count: 500 - kept,
              total_count: 500,
              reason: "token_limit_exceeded",
              remedy: { tool: "content", action: "get", arguments: { archive_id: "archive-1" } },
            },
          },
        ],
        content_fidelity_schema_version: "1.0",
        content_fidelity: "partial",
        dropped_content_ids: ["/tasks", ...Array.from({ length: 59 }, (_, index) => `task-${kept + index}`)],
        content_archive_hashes: { "archive-1": archive.hash },
      },
    });
    expect({ fidelity, ...dropped }).toEqual({
      fidelity: "partial",
      ids: fitted.meta.dropped_content_ids,
      count: 500 - kept,
      total: 500,
      parts: [{ pointer: "/tasks", kind: "items", kept, total: 500 }],
      data: envelope.data,
    });
    expect(kept).toBeGreaterThan(30);
  });

  it("uses most of the budget", () => {
    for (const maxTokens of [1_000, 5_000, 20_000]) {
      expect(
        sizeOf(fitToBudget(successResponse({ tasks: rows(5_000) }), { maxTokens })) / maxTokens,
      ).toBeGreaterThan(0.93);
    }
  });

  it("cuts long texts when there is no list to shorten, and uses most of the budget", () => {
    const text = "All work and no play. ".repeat(2_000);
    const result = fitToBudget(successResponse({ text }), { maxTokens: 1_500 });
    const [part] = result.dropped?.parts ?? [];
    expect([result.fidelity, part]).toEqual([
      "partial",
      { pointer: "/text", kind: "text", kept: part?.kept, total: 44_000 },
    ]);
    expect((result.envelope.data as { text: string }).text).toBe(`${text.slice(0, part?.kept)}…`);
    expect(sizeOf(result)).toBeGreaterThan(1_350);
  });

  it("does not split a surrogate pair", () => {
    for (let length = 200; length < 204; length++) {
      const { envelope } = fitToBudget(
        successResponse({ text: `${"a".repeat(length % 2)}${"😀".repeat(5_000)}` }),
        { maxTokens: length },
      );
      expect(JSON.stringify(envelope)).not.toMatch(/\\ud8|\ufffd/);
    }
  });

  it("measures lone surrogates as they are sent", () => {
    const envelope = successResponse({ a: Array<string>(3_000).fill("\ud800 abc") });
    expect(
      estimateTokens(serializeEnvelope(fitToBudget(envelope, { maxTokens: 5_000 }).envelope)),
    ).toBeLessThanOrEqual(5_000);
  });

  it("shortens the rest of the payload before the page", () => {
    const answer = successResponse(
      { rows: rows(10), summary: "Long words. ".repeat(9_000) },
      { pagination: { cursor: null, hasMore: false, pageSize: 10 } },
    );
    const { envelope, fidelity, dropped } = fitToBudget(answer, {
      maxTokens: 2_000,
      page: { rows: "rows", cursorAfter: () => "never" },
      archive,
    });
    expect([
      (envelope.data as { rows: unknown[] }).rows.length,
      envelope.meta.pagination?.cursor,
      fidelity,
    ]).toEqual([10, null, "partial"]);
    expect([dropped?.ids, dropped?.data]).toEqual([["/summary"], answer.data]);
  });

  it("drops warnings before the payload when there are thousands", () => {
    const answer = successResponse(
      { id: "x" },
      { warnings: Array.from({ length: 9_000 }, (_, index) => `warning ${index}`) },
    );
    const { envelope } = fitToBudget(answer, { maxTokens: 20_000 });
    expect([envelope.data, envelope.meta.warnings?.slice(4, 6)]).toEqual([
      { id: "x" },
      ["warning 4", "8995 further warnings were left out"],
    ]);
  });

  it("never makes a response longer or more complete than it was", () => {
    const failure = errorResponse("m");
    expect(fitToBudget(failure, { maxTokens: 40 }).envelope).toBe(failure);
    const poor = successResponse(
      { rows: rows(500) },
      { contentFidelity: "summary", droppedContentIds: ["old-1"] },
    );
    const { meta } = fitToBudget(poor, { maxTokens: 2_000 }).envelope;
    expect([meta.content_fidelity, meta.dropped_content_ids?.[0]]).toEqual(["summary", "old-1"]);
  });

  it("returns INTERNAL_ERROR for a getter that throws, without its message", () => {
    const hostile = successResponse({
      get a(): never {
        throw new Error("secret");
      },
    });
    expect(fitToBudget(hostile, { maxTokens: 500 }).envelope.error).toBe(
      "Cannot write the answer: $.data.a holds a value that throws when it is read",
    );
  });

  it("reduces deep trees of small objects", () => {
    const tree = (depth: number): object =>
      depth === 0
        ? { leaf: "some words" }
        : { left: tree(depth - 1), right: tree(depth - 1), name: `level ${depth}` };
    const { envelope, fidelity } = fitToBudget(successResponse(tree(11)), { maxTokens: 2_000 });
    expect(fidelity).toBe("summary");
    expect(Object.keys(envelope.data)).toContain("left");
  });

  it("reduces to short scalars, then to ids and counts, then to nothing", () => {
    const fields = (count: number, make: (index: number) => unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`part_${index}`, make(index)]));
    const short = fields(5, () => "a few short words, and then a few more of them");
    const data = fields(7, (index) => ({
      id: `p${index}`,
      total: index,
      ...short,
      prose: "Long words. ".repeat(40),
    }));
    const answers = [6_000, 1_200, 600, 150].map((maxTokens) =>
      fitToBudget(successResponse(data), { maxTokens }),
    );
    expect(answers.map(({ fidelity }) => fidelity)).toEqual([
      "full",
      "summary",
      "reference_only",
      "reference_only",
    ]);
    expect(answers.slice(1).map(({ envelope }) => (envelope.data as UnknownRecord)["part_0"])).toEqual([
      { id: "p0", total: 0, ...short },
      { id: "p0", total: 0 },
      undefined,
    ]);
  });

  it("keeps code, type, message and remediation of a failure at any budget", () => {
    const failure = errorResponse("Spec is broken", {
      errorCode: "VALIDATION_ERROR",
      remediation: "Fix it.",
      details: { diagnostics: rows(400) },
      requestId: "req_2",
    });
    for (const maxTokens of [1, 200, 2_000]) {
      const { envelope } = fitToBudget(failure, { maxTokens, archive });
      expect({ error: envelope.error, ...envelope.data, details: null }).toEqual({
        error: "Spec is broken",
        error_code: "VALIDATION_ERROR",
        error_type: "validation",
        remediation: "Fix it.",
        details: null,
      });
    }
  });

  it("shortens a page from its end, and its cursors visit every row", () => {
    const table = rows(300);
    const request = {
      query: { tool: "task" },
      limit: 100,
      key: (row: { task_id: string }) => [Number(row.task_id.slice(5))],
    };
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = pageSorted(table, { ...request, cursor });
      const answer = successResponse({ tasks: page.rows }, { pagination: page.pagination });
      const { envelope, dropped, fidelity } = fitToBudget(answer, {
        maxTokens: 1_000,
        page: {
          rows: "tasks",
          cursorAfter: (count) =>
            pageSorted(table, { ...request, cursor, limit: count }).pagination.cursor ?? "",
        },
      });
      const sent = (envelope.data as { tasks: { task_id: string }[] }).tasks;
      seen.push(...sent.map((row) => row.task_id));
      expect([
        dropped,
        fidelity,
        envelope.meta.pagination?.page_size,
        envelope.meta.pagination?.total_count,
      ]).toEqual([null, "full", sent.length, 300]);
      expect(estimateTokens(JSON.stringify(envelope))).toBeLessThanOrEqual(1_000);
      cursor = envelope.meta.pagination?.cursor ?? null;
    } while (cursor !== null);
    expect(seen).toEqual(table.map((row) => row.task_id));
  });

  it("reduces a single row that is too long for any page and continues after it", () => {
    const answer = successResponse(
      {
        rows: [
          { id: "a", body: "word ".repeat(9_000) },
          { id: "b", body: "" },
        ],
      },
      { pagination: { cursor: null, hasMore: false, totalCount: 2, pageSize: 2 } },
    );
    const { envelope, dropped, fidelity } = fitToBudget(answer, {
      maxTokens: 1_000,
      page: { rows: "rows", cursorAfter: (count) => `after-${count}` },
      archive,
    });
    expect(envelope.meta.pagination).toEqual({
      cursor: "after-1",
      has_more: true,
      total_count: 2,
      page_size: 1,
    });
    expect([fidelity, dropped?.ids]).toEqual(["partial", ["/rows/0/body"]]);
    expect(dropped?.data).toEqual({ rows: [{ id: "a", body: "word ".repeat(9_000) }] });
  });

  it("always keeps the cursor of a page, and reports dropped content while it fits", () => {
    const answer = successResponse(
      { rows: [{ body: "word ".repeat(9_000) }, {}] },
      { pagination: { cursor: null, hasMore: false, pageSize: 2 } },
    );
    const page = { rows: "rows", cursorAfter: (count: number) => `after-${count}` };
    for (const maxTokens of [1, 150, 400]) {
      expect(fitToBudget(answer, { maxTokens, page, archive }).envelope.meta.pagination?.cursor).toBe(
        "after-1",
      );
    }
    const { meta } = fitToBudget(successResponse({ text: ["w ".repeat(5_000)] }), {
      maxTokens: 200,
      archive,
    }).envelope;
    expect(meta.warnings).toEqual([expect.stringContaining('content(action="get", archive_id="archive-1")')]);
  });

  it("stays valid and within the budget of the exact tokenizer, and kept and dropped parts make the whole", () => {
    fc.assert(
      fc.property(bigData, anyEnvelope, fc.integer({ min: 150, max: 3_000 }), (data, { meta }, maxTokens) => {
        const envelope: Envelope = { success: true, data, error: null, meta };
        const result = fitToBudget(envelope, { maxTokens, archive });
        const text = JSON.stringify(result.envelope);
        expect(checkEnvelope(JSON.parse(text)).filter(({ level }) => level === "MUST")).toEqual([]);
        if (text !== JSON.stringify(smallestOf(envelope).envelope)) {
          expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
          expect(countExactly(text)).toBeLessThanOrEqual(maxTokens);
        }
        if (result.dropped === null) expect(result.envelope).toBe(envelope);
        else {
          expect(result.dropped.data).toBe(data);
          expect(putBack(data, result.envelope.data, result.dropped.parts)).toEqual(data);
        }
      }),
      { numRuns: 400, endOnFailure: true },
    );
  });

  it("uses the given token counter", () => {
    const calls: number[] = [];
    const { envelope } = fitToBudget(successResponse({ tasks: rows(900) }), {
      maxTokens: 4_000,
      countTokens: (text, limit) => {
        calls.push(limit);
        return countExactly(text);
      },
    });
    expect(countExactly(JSON.stringify(envelope))).toBeLessThanOrEqual(4_000);
    expect(new Set(calls)).toEqual(new Set([4_000]));
  });

  it("never counts more text than the budget allows, however large the payload", () => {
    let longest = 0;
    fitToBudget(successResponse({ tasks: rows(200_000) }), {
      maxTokens: 1_000,
      countTokens: (text, limit) => {
        longest = Math.max(longest, text.length);
        return estimateTokens(text, limit);
      },
    });
    expect(longest).toBeLessThan(128 * 1_000);
  });

  it.each([-1, 1.5, Number.NaN, "100", null])("refuses the budget %j", (maxTokens) => {
    expect(() => fitToBudget(successResponse(), { maxTokens: maxTokens as never })).toThrow(
      "max_tokens must be a whole number",
    );
  });

  it("returns INTERNAL_ERROR within the budget for a payload that JSON cannot represent", () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    const { envelope } = fitToBudget(successResponse({ big: rows(100), cycle }), { maxTokens: 300 });
    expect(envelope.error).toBe("Cannot write the answer: $.data.cycle.self holds a cycle");
  });
});
