import type { Json } from "../rpc.ts";

/** The answer of a list. */
export interface Outcome {
  readonly data: Json;
  readonly error?: string;
  readonly pagination?: Json;
}

/** A parameter of a list. `most` is the maximum that the server accepts if its schema does not state one. */
export interface Property {
  readonly type: "string" | "integer";
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly most?: number;
}

/** One list. */
export interface ListTool {
  readonly description: string;
  readonly properties: Readonly<Record<string, Property>>;
  run(args: Json): Outcome;
}

interface Style {
  readonly rows: () => readonly unknown[];
  readonly limit?: Property | undefined;
  readonly usual?: number;
  readonly names?: { readonly limit: string; readonly cursor: string };
  readonly hasTotal?: boolean;
  /** The payload of a page. */
  readonly data?: (rows: readonly unknown[]) => Json;
  /** True if the list sends pages only to callers that pass a limit. */
  readonly isShy?: boolean;
}

const counted = (length: number) => Array.from({ length }, (_, index) => ({ id: `r${index}`, place: index }));
const still =
  (rows: readonly unknown[]): Style["rows"] =>
  () =>
    rows;

/** Creates a list that grows with every call. */
function growing(): Style["rows"] {
  let length = 30;
  return () => counted(length++);
}

const columns = ["id", "place", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

const styles: Readonly<Record<string, () => Style>> = {
  "large-pages": () => ({
    rows: still(counted(95)),
    limit: { type: "integer", minimum: 10, maximum: 50 },
  }),
  "small-pages": () => ({
    rows: still(counted(40)),
    limit: { type: "integer", minimum: 1, maximum: 3 },
    usual: 3,
  }),
  "unstated-range": () => ({ rows: still(counted(60)), limit: { type: "integer", most: 25 } }),
  long: () => ({ rows: still(counted(5_000)), limit: { type: "integer", minimum: 1, maximum: 10 } }),
  "long-without-total": () => ({
    rows: still(counted(400)),
    limit: { type: "integer", minimum: 1, maximum: 100 },
    hasTotal: false,
  }),
  "cursor-only": () => ({ rows: still(counted(25)), limit: undefined }),
  "cursor-only-without-total": () => ({ rows: still(counted(25)), limit: undefined, hasTotal: false }),
  tokens: () => ({ rows: still(counted(25)), names: { limit: "page_size", cursor: "page_token" } }),
  "several-events-of-one-id": () => ({
    rows: still(Array.from({ length: 23 }, (_, index) => ({ id: index % 4, event: "moved", step: index }))),
  }),
  "lines-alike": () => ({
    rows: still(Array.from({ length: 23 }, (_, index) => (index % 2 === 0 ? "info" : "warn"))),
  }),
  audit: () => ({ rows: growing() }),
  facets: () => ({
    rows: still(counted(3)),
    data: (rows) => ({ rows, facets: columns.map((id) => ({ id, count: 1 })), columns }),
  }),
  nested: () => ({ rows: still(counted(25)), data: (rows) => ({ result: { items: rows, columns } }) }),
  "on-request": () => ({ rows: still(counted(25)), isShy: true }),
  empty: () => ({ rows: still([]) }),
};

const anyLimit: Property = { type: "integer", minimum: 1, maximum: 100 };

/** Creates lists in many styles. All of them conform to the contract. */
export function listTools(): ReadonlyMap<string, ListTool> {
  return new Map(Object.entries(styles).map(([name, create]) => [name, toTool(name, create())]));
}

function toTool(name: string, style: Style): ListTool {
  const { names = { limit: "limit", cursor: "cursor" }, usual = 10, hasTotal = true, data } = style;
  const limit = "limit" in style ? style.limit : anyLimit;
  return {
    description: `The list ${name}, page by page.`,
    properties: {
      ...(limit === undefined ? {} : { [names.limit]: limit }),
      [names.cursor]: { type: "string" },
    },
    run(args) {
      const rows = style.rows();
      const size = Number(args[names.limit] ?? usual);
      const cursor = args[names.cursor];
      const start = cursor === undefined ? 0 : Number(/^at-(\d+)$/.exec(String(cursor))?.[1] ?? Number.NaN);
      if (Number.isNaN(start)) return badCursor(names.cursor);
      const page = rows.slice(start, start + size);
      const hasMore = start + size < rows.length;
      const pagination = {
        cursor: hasMore ? `at-${start + size}` : null,
        has_more: hasMore,
        ...(hasTotal ? { total_count: rows.length } : {}),
        page_size: page.length,
      };
      const isAsked = args[names.limit] !== undefined || cursor !== undefined;
      return { data: data?.(page) ?? { rows: page }, ...(style.isShy && !isAsked ? {} : { pagination }) };
    },
  };
}

function badCursor(field: string): Outcome {
  return {
    error: "The cursor is none of this list",
    data: {
      error_code: "INVALID_CURSOR",
      error_type: "validation",
      remediation: `Leave out ${field} to begin again.`,
      details: { field },
    },
  };
}
