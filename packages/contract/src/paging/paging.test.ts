import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isContractError } from "../errors/contract-error.ts";
import { shortHash } from "../text/sha256.ts";
import { type CursorPlace, type CursorQuery, decodeCursor, encodeCursor } from "./cursor.ts";
import { compareKeys, type Page, pageSorted, parseLimit, readPlace, toPage } from "./page.ts";
import { pageSiblings } from "./page-siblings.ts";

const query: CursorQuery = {
  tool: "task",
  action: "query",
  filters: { status: "pending" },
  sort: "updated_at",
};
const codeOf = (run: () => unknown): string => {
  try {
    run();
    return "no error";
  } catch (thrown) {
    return isContractError(thrown) ? thrown.code : "another error";
  }
};

const part = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
  fc.boolean(),
  fc.constant(null),
);
const anyPlace: fc.Arbitrary<CursorPlace> = fc.oneof(
  fc.record({ kind: fc.constant("key" as const), key: fc.array(part, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    kind: fc.constant("sibling" as const),
    ids: fc.tuple(
      fc.array(fc.string({ unit: "binary" }), { maxLength: 8 }),
      fc.array(fc.string(), { maxLength: 2 }),
    ),
  }),
  fc.record({ kind: fc.constant("offset" as const), offset: fc.nat() }),
);

describe("cursors", () => {
  it("decode to the encoded place and are URL-safe", () => {
    fc.assert(
      fc.property(anyPlace, (place) => {
        const cursor = encodeCursor(query, place);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor(query, cursor)).toEqual(place);
      }),
    );
  });

  it("decode the documented offset form with and without padding", () => {
    expect(decodeCursor(query, "eyJvZmZzZXQiOjUwfQ==")).toEqual({ kind: "offset", offset: 50 });
    expect(decodeCursor(query, "eyJvZmZzZXQiOjIwfQ")).toEqual({ kind: "offset", offset: 20 });
  });

  it("belong to one query, whatever the order of its filters", () => {
    const filters = { status: "pending", parent: "phase-1", absent: undefined };
    const cursor = encodeCursor({ tool: "task", filters }, { kind: "key", key: ["a"] });
    expect(
      decodeCursor({ tool: "task", filters: { parent: "phase-1", gone: null, status: "pending" } }, cursor),
    ).toEqual({ kind: "key", key: ["a"] });
    for (const other of [
      { tool: "spec", filters },
      { tool: "task", filters: { status: "pending" } },
      { tool: "task", filters, sort: "x" },
      { tool: "task", action: "list", filters },
    ]) {
      expect(codeOf(() => decodeCursor(other, cursor))).toBe("INVALID_CURSOR");
    }
  });

  it("are refused when one character is changed, added or removed", () => {
    const cursor = encodeCursor(query, { kind: "key", key: ["2025-01-01", "task-1"] });
    fc.assert(
      fc.property(
        fc.nat(cursor.length - 1),
        fc.constantFrom("A", "b", "-", "_", "9", "=", " ", "é", ""),
        (at, replacement) => {
          const altered = cursor.slice(0, at) + replacement + cursor.slice(at + 1);
          if (altered !== cursor) expect(codeOf(() => decodeCursor(query, altered))).toBe("INVALID_CURSOR");
        },
      ),
    );
  });

  it.each([
    null,
    undefined,
    5,
    {},
    [],
    "",
    "x",
    "eyJ2IjoyfQ",
    "bnVsbA",
    "W10",
    "A".repeat(20_000),
    btoa('{"offset":-1}'),
    btoa('{"offset":1.5}'),
    btoa('{"__proto__":1}'),
  ])("are refused: %j", (cursor) => {
    expect(codeOf(() => decodeCursor(query, cursor as never))).toBe("INVALID_CURSOR");
  });
});

interface Row {
  readonly id: string;
  readonly rank: number | null;
}
const rowKey = (row: Row) => [row.rank, row.id];
const sortRows = (rows: readonly Row[], order: readonly ("asc" | "desc")[]) =>
  rows.toSorted((a, b) => compareKeys(rowKey(a), rowKey(b), order));

/** Walks all pages and changes the list between them; returns the ids in the order in which they were shown. */
function walk(fetchPage: (cursor: string | null) => Page<Row>, change: () => void): string[] {
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 500; pages++) {
    const page = fetchPage(cursor);
    seen.push(...page.rows.map(({ id }) => id));
    expect(page.pagination.has_more).toBe(page.pagination.cursor !== null);
    expect(page.pagination.page_size).toBe(page.rows.length);
    if (page.pagination.cursor === null) return seen;
    cursor = page.pagination.cursor;
    change();
  }
  throw new Error("the walk does not end");
}

const someRows = fc.uniqueArray(
  fc.record({
    id: fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 }),
    rank: fc.oneof(fc.nat(5), fc.constant(null)),
  }),
  { maxLength: 40, selector: ({ id }) => id },
);
const someChanges = fc.array(
  fc.record({
    remove: fc.nat(),
    add: fc.string({ minLength: 5, maxLength: 8 }),
    rank: fc.nat(5),
    at: fc.nat(),
  }),
  { maxLength: 30 },
);

describe("pageSorted", () => {
  it("neither repeats nor skips rows that stay while others are added and removed between pages", () => {
    fc.assert(
      fc.property(
        someRows,
        someChanges,
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom(["asc", "asc"] as const, ["desc", "asc"] as const),
        (rows, changes, limit, order) => {
          let list = sortRows(rows, order);
          const removed = new Set<string>();
          const added = new Set<string>();
          const queue = [...changes];
          const seen = walk(
            (cursor) => pageSorted(list, { query, limit, cursor, key: rowKey, order }),
            () => {
              const change = queue.pop();
              if (change === undefined) return;
              const victim = list[change.remove % Math.max(1, list.length)];
              if (victim !== undefined) removed.add(victim.id);
              added.add(change.add);
              list = sortRows(
                [
                  ...list.filter((row) => row !== victim && row.id !== change.add),
                  { id: change.add, rank: change.rank },
                ],
                order,
              );
            },
          );
          expect(new Set(seen).size).toBe(
            seen.filter((id) => !added.has(id)).length + new Set(seen.filter((id) => added.has(id))).size,
          );
          const stayed = rows.map(({ id }) => id).filter((id) => !removed.has(id) && !added.has(id));
          expect(stayed.filter((id) => !seen.includes(id))).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("returns the whole list in order with its total when nothing changes", () => {
    fc.assert(
      fc.property(someRows, fc.integer({ min: 1, max: 9 }), (rows, limit) => {
        const list = sortRows(rows, []);
        const seen = walk(
          (cursor) => pageSorted(list, { query, limit, cursor, key: rowKey }),
          () => {},
        );
        expect(seen).toEqual(list.map(({ id }) => id));
        expect(pageSorted(list, { query, limit, key: rowKey }).pagination.total_count).toBe(list.length);
      }),
    );
  });

  it("pages an external source through readPlace and toPage", () => {
    const table = Array.from({ length: 10 }, (_, id) => ({ id: String(id), rank: id }));
    const request = {
      query,
      limit: 3,
      key: (row: Row) => [row.rank],
      cursor: null as string | null,
      totalCount: 10,
    };
    const fetchPage = (cursor: string | null) => {
      const place = readPlace({ ...request, cursor });
      const after = (place.after?.[0] ?? -1) as number;
      return toPage(
        table.filter(({ rank }) => rank > after).slice(place.offset, place.offset + place.count),
        request,
      );
    };
    expect(walk(fetchPage, () => {})).toEqual(table.map(({ id }) => id));
    expect(fetchPage(btoa('{"offset":8}')).rows.map(({ id }) => id)).toEqual(["8", "9"]);
  });
});

describe("pageSiblings", () => {
  it("continues at the right row after rows were removed and inserted", () => {
    fc.assert(
      fc.property(someRows, someChanges, fc.integer({ min: 1, max: 7 }), (rows, changes, limit) => {
        let list: readonly Row[] = rows;
        const removed = new Set<string>();
        const queue = [...changes];
        let seen: string[] = [];
        try {
          seen = walk(
            (cursor) => pageSiblings(list, { query, limit, cursor, id: ({ id }) => id }),
            () => {
              const change = queue.pop();
              if (change === undefined || list.some(({ id }) => id === change.add)) return;
              const victim = list[change.remove % Math.max(1, list.length)];
              if (victim !== undefined) removed.add(victim.id);
              const rest = list.filter((row) => row !== victim);
              list = rest.toSpliced(change.at % (rest.length + 1), 0, { id: change.add, rank: 0 });
            },
          );
        } catch (thrown) {
          // The cursor is refused only if all rows that mark its place were removed.
          expect(isContractError(thrown) && thrown.code).toBe("INVALID_CURSOR");
          return;
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(rows.map(({ id }) => id).filter((id) => !removed.has(id) && !seen.includes(id))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("continues at the right row after fewer than half of the rows in the cursor were moved", () => {
    const rows = Array.from({ length: 40 }, (_, index) => ({ id: `r${index}`, rank: index }));
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: 12 }),
        fc.uniqueArray(fc.nat(39), { maxLength: 3 }),
        fc.array(fc.nat(39), { minLength: 3, maxLength: 3 }),
        (limit, moved, targets) => {
          let list = rows;
          let isMoved = false;
          const movedIds = new Set(moved.map((index) => `r${index}`));
          const seen = walk(
            (cursor) => pageSiblings(list, { query, limit, cursor, id: ({ id }) => id }),
            () => {
              if (isMoved) return;
              isMoved = true;
              for (const [index, id] of [...movedIds].entries()) {
                const row = list.find((candidate) => candidate.id === id) as Row & { rank: number };
                list = list.filter((candidate) => candidate !== row).toSpliced(targets[index] ?? 0, 0, row);
              }
            },
          );
          const unmoved = rows.map(({ id }) => id).filter((id) => !movedIds.has(id));
          expect(seen.filter((id) => !movedIds.has(id)).toSorted()).toEqual(unmoved.toSorted());
        },
      ),
      { numRuns: 500 },
    );
  });

  it("continues at the next rows when all shown rows are gone", () => {
    const rows = ["a", "b", "c", "d"].map((id) => ({ id }));
    const id = (row: { id: string }) => row.id;
    const { cursor } = pageSiblings(rows, { query, limit: 2, id }).pagination;
    expect(pageSiblings([{ id: "a" }, { id: "c" }], { query, limit: 2, cursor, id }).rows).toEqual([
      { id: "c" },
    ]);
    expect(
      pageSiblings([{ id: "x" }, { id: "c" }, { id: "d" }], { query, limit: 2, cursor, id }).rows,
    ).toEqual([{ id: "c" }, { id: "d" }]);
    const first = pageSiblings(rows, { query, limit: 1, id }).pagination.cursor;
    const moved = ["b", "c", "d", "a"].map((each) => ({ id: each }));
    expect(pageSiblings(moved, { query, limit: 9, cursor: first, id }).rows).toEqual([
      { id: "b" },
      { id: "c" },
      { id: "d" },
    ]);
  });

  it("refuses the cursor when all of its rows are gone", () => {
    const rows = ["a", "b", "c", "d"].map((id) => ({ id }));
    const id = (row: { id: string }) => row.id;
    const { cursor } = pageSiblings(rows, { query, limit: 2, id }).pagination;
    expect(codeOf(() => pageSiblings([{ id: "x" }, { id: "y" }], { query, limit: 2, cursor, id }))).toBe(
      "INVALID_CURSOR",
    );
    expect(codeOf(() => pageSorted([], { query, limit: 2, cursor, key: () => [1] }))).toBe("INVALID_CURSOR");
  });
});

describe("encodeCursor", () => {
  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [new Date(0)], [undefined]])(
    "refuses a key part that JSON cannot represent: %s",
    (part) => {
      expect(codeOf(() => encodeCursor(query, { kind: "key", key: [part as never] }))).toBe("INTERNAL_ERROR");
    },
  );

  it("refuses a query that JSON cannot represent", () => {
    expect(
      codeOf(() => encodeCursor({ tool: "t", filters: { s: new Set([1]) } }, { kind: "offset", offset: 1 })),
    ).toBe("INTERNAL_ERROR");
  });

  it("accepts a key of twenty thousand characters", () => {
    const place = { kind: "key", key: ["漢".repeat(20_000)] } as const;
    expect(decodeCursor(query, encodeCursor(query, place))).toEqual(place);
  });

  it("is not reached by a page of zero rows: its limit is refused", () => {
    expect(codeOf(() => pageSorted([1], { query, limit: 0, key: (row) => [row] }))).toBe("VALIDATION_ERROR");
  });
});

describe("decodeCursor with a valid checksum and an invalid place", () => {
  it.each<[string, unknown]>([
    ["key", 5],
    ["key", [{}]],
    ["sibling", [1]],
    ["sibling", ["a", []]],
    ["offset", -1],
    ["page", 1],
  ])("refuses %s %j", (kind, where) => {
    const [version, hash] = JSON.parse(atob(encodeCursor(query, { kind: "offset", offset: 1 }))) as unknown[];
    const body = [version, hash, kind, where];
    const forged = btoa(JSON.stringify([...body, shortHash(JSON.stringify(body))])).replaceAll("=", "");
    expect(codeOf(() => decodeCursor(query, forged))).toBe("INVALID_CURSOR");
  });
});

describe("parseLimit", () => {
  const limits = { default: 25, max: 500 };
  it("accepts 1 to max, returns the default for an absent value and refuses the rest", () => {
    expect([undefined, null, 1, 500].map((value) => parseLimit(value, limits))).toEqual([25, 25, 1, 500]);
    expect([0, -1, 501].map((value) => codeOf(() => parseLimit(value, limits)))).toEqual(
      Array(3).fill("VALIDATION_ERROR"),
    );
    expect(["5", 1.5, Number.NaN, {}, true].map((value) => codeOf(() => parseLimit(value, limits)))).toEqual(
      Array(5).fill("INVALID_FORMAT"),
    );
  });
});
