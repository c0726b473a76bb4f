import { ContractError } from "../errors/contract-error.ts";
import { internal } from "../errors/failures.ts";
import { isRecord } from "../json/json-value.ts";
import { toJsonValue } from "../json/to-json.ts";
import { shortHash } from "../text/sha256.ts";

/** What a cursor belongs to: it is refused for any other query. */
export interface CursorQuery {
  readonly tool: string;
  readonly action?: string | undefined;
  /** The filters in force; null and undefined ones count as absent. */
  readonly filters?: object | undefined;
  readonly sort?: unknown;
}

/** One part of a sort key. */
export type KeyPart = string | number | boolean | null;

/** Where the next page starts: after a key, after a sibling, or at the documented offset. */
export type CursorPlace =
  | { readonly kind: "key"; readonly key: readonly KeyPart[] }
  /** The ids of rows in list order: those that were shown last, and those that come next. */
  | { readonly kind: "sibling"; readonly ids: readonly [shown: readonly string[], next: readonly string[]] }
  | { readonly kind: "offset"; readonly offset: number };

const cursorVersion = 1;
const longestCursor = 2 ** 18;

/** Writes a place as an opaque cursor of this query: base64 of compact JSON with a checksum. A cursor grants nothing, so it is not signed. */
export function encodeCursor(query: CursorQuery, place: CursorPlace): string {
  if (!isPlace(place.kind, Object.values(place)[1]))
    throw internal(`Cannot continue after ${place.kind}: it is no place in a list`);
  const { kind, ...where } = place;
  const body = [cursorVersion, hashQuery(query), kind, Object.values(where)[0]];
  return toBase64Url(toAscii(JSON.stringify([...body, shortHash(JSON.stringify(body))])));
}

/** Reads a cursor back; a malformed, altered or foreign one is INVALID_CURSOR, never the first page again. */
export function decodeCursor(query: CursorQuery, cursor: string): CursorPlace {
  const text = typeof cursor === "string" && cursor.length <= longestCursor ? fromBase64Url(cursor) : null;
  const body = parse(text);
  if (isRecord(body) && isOffset(body["offset"])) return { kind: "offset", offset: body["offset"] };
  if (!Array.isArray(body)) throw invalidCursor("it is no cursor");
  const [version, hash, kind, where] = body as unknown[];
  if (version !== cursorVersion) throw invalidCursor("it was made by another version of this server");
  if (hash !== hashQuery(query)) throw invalidCursor("it belongs to another query");
  if (!isPlace(kind, where)) throw invalidCursor("it names no place");
  const place = {
    kind,
    [kind === "key" ? "key" : kind === "sibling" ? "ids" : "offset"]: where,
  } as CursorPlace;
  // One text for one place: whatever was altered, the same place would have been written otherwise.
  if (encodeCursor(query, place) !== cursor) throw invalidCursor("it has been altered");
  return place;
}

/** The failure for a cursor that cannot be used. */
export function invalidCursor(reason: string): ContractError {
  return new ContractError(`Cannot continue from this cursor: ${reason}`, {
    errorCode: "INVALID_CURSOR",
    remediation: "Leave out cursor to start again from the first page, with the same filters on every page.",
    details: { field: "cursor", constraint: "usable", reason },
  });
}

function parse(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** The same hash for the same query, whatever the order of its keys. */
function hashQuery({ tool, action, filters, sort }: CursorQuery): string {
  const json = toJsonValue([tool, action, filters ?? {}, sort]);
  if (!json.ok)
    throw internal(`Cannot make a cursor: ${json.problem.path} of the query holds ${json.problem.found}`);
  const canonical = JSON.stringify(json.value, (_key, inner: unknown) => {
    if (!isRecord(inner)) return inner;
    const present = Object.entries(inner).filter(([, member]) => member !== null);
    return Object.fromEntries(present.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return shortHash(canonical);
}

function toAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function isOffset(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isPlace(kind: unknown, where: unknown): boolean {
  if (kind === "offset") return isOffset(where);
  if (!Array.isArray(where)) return false;
  if (kind === "key")
    return where.every(
      (part) =>
        part === null || typeof part === "string" || typeof part === "boolean" || Number.isFinite(part),
    );
  return (
    kind === "sibling" &&
    where.length === 2 &&
    where.every((ids) => Array.isArray(ids) && ids.every((id) => typeof id === "string"))
  );
}

// Standard in browsers, workers, Deno, Bun and Node; only TypeScript's language library does not list them.
declare function btoa(binary: string): string;
declare function atob(base64: string): string;

/** Encodes ASCII text as URL-safe base64 without padding. */
export function toBase64Url(ascii: string): string {
  return btoa(ascii).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Decodes base64 in either alphabet, padded or not; null for anything else. */
export function fromBase64Url(text: string): string | null {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null;
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return null;
  }
}
