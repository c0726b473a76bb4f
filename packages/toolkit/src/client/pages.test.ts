import { type ContractError, errorResponse, type Success, successResponse } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { pages } from "./pages.ts";

type Cursor = string | undefined;
type Page = Success<{ at: Cursor }>;

/** A list whose pages return these cursors in this order; every call is recorded in `asked`. */
function listOf(cursors: readonly (string | null)[], asked: Cursor[] = []) {
  return async (at: Cursor): Promise<Page> => {
    const cursor = cursors[asked.push(at) - 1] ?? null;
    return successResponse({ at }, { pagination: { cursor, hasMore: cursor !== null, pageSize: 1 } });
  };
}

/** Collects the pages of a generator, and the error that ended the generator. */
async function walk(generator: AsyncGenerator<Page>): Promise<{ at: Cursor[]; thrown?: ContractError }> {
  const at: Cursor[] = [];
  try {
    for await (const page of generator) at.push(page.data.at);
  } catch (thrown) {
    return { at, thrown: thrown as ContractError };
  }
  return { at };
}

describe("pages", () => {
  it("follows the cursors to the end, one call for each page", async () => {
    const asked: Cursor[] = [];
    expect(await walk(pages(listOf(["a", "b"], asked)))).toEqual({ at: [undefined, "a", "b"] });
    expect(asked).toEqual([undefined, "a", "b"]);
  });

  it("starts at a given cursor", async () => {
    expect(await walk(pages(listOf(["z"]), { cursor: "y" }))).toEqual({ at: ["y", "z"] });
  });

  it("yields one page for an answer without pagination, and for a last page with a cursor", async () => {
    const plain = async () => successResponse({ at: "plain" as Cursor });
    expect(await walk(pages(plain))).toEqual({ at: ["plain"] });
    const done = async () =>
      successResponse({ at: "done" as Cursor }, { pagination: { cursor: "x", hasMore: false, pageSize: 1 } });
    expect(await walk(pages(done))).toEqual({ at: ["done"] });
  });

  it.each([
    ["the same cursor", ["a", "a"], [undefined, "a"]],
    ["a cycle", ["a", "b", "a"], [undefined, "a", "b"]],
  ])("refuses %s instead of looping for ever", async (_, cursors, at) => {
    const { at: seen, thrown } = await walk(pages(listOf(cursors)));
    expect(seen).toEqual(at);
    expect(thrown).toMatchObject({
      code: "UPSTREAM_ERROR",
      message: `Cannot go on after page ${at.length}: it returned the same cursor as an earlier page, wanted a new one`,
      options: { details: { page: at.length } },
    });
  });

  it("refuses has_more without a cursor", async () => {
    const call = async () =>
      successResponse({ at: "x" as Cursor }, { pagination: { cursor: null, hasMore: true, pageSize: 1 } });
    const { at, thrown } = await walk(pages(call));
    expect(at).toEqual(["x"]);
    expect(thrown?.message).toBe(
      "Cannot go on after page 1: has_more is true but cursor is null, wanted a cursor",
    );
  });

  it("throws a failure as a ContractError", async () => {
    const call = async (cursor: Cursor) =>
      cursor === undefined
        ? listOf(["a"])(cursor)
        : errorResponse("Stale", { errorCode: "INVALID_CURSOR", requestId: "r" });
    const { at, thrown } = await walk(pages(call));
    expect(at).toEqual([undefined]);
    expect(thrown).toMatchObject({
      code: "INVALID_CURSOR",
      message: "Stale",
      options: { meta: { request_id: "r" } },
    });
  });

  it("stops after maxPages without asking for more", async () => {
    const asked: Cursor[] = [];
    expect(await walk(pages(listOf(["a", "a", "a"], asked), { maxPages: 2 }))).toEqual({
      at: [undefined, "a"],
    });
    expect(asked).toHaveLength(2);
  });

  it("stops when the signal aborts between two pages", async () => {
    const controller = new AbortController();
    const call = async (cursor: Cursor) => {
      controller.abort();
      return listOf(["a"])(cursor);
    };
    const { at, thrown } = await walk(pages(call, { signal: controller.signal }));
    expect(at).toEqual([undefined]);
    expect(thrown?.code).toBe("CANCELLED");
  });
});
