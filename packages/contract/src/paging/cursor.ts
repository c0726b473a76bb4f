import { ContractError } from "../errors/contract-error.ts";
import { isRecord, type UnknownRecord } from "../json/json-value.ts";
import { fromBase64Url, toBase64Url } from "../text/base64url.ts";
import { shortHash } from "../text/sha256.ts";

/** What a cursor belongs to: it is refused for any other query. */
export interface CursorQuery {
  readonly tool: string;
  readonly action?: string | undefined;
  /** The filters in force; null and undefined ones count as absent. */
  readonly filters?: UnknownRecord | undefined;
  readonly sort?: unknown;
}

/** One part of a sort key. */
export type KeyPart = string | number | boolean | null;

/** Where the next page starts: after a key, after a sibling, or at the documented offset. */
export type CursorPlace =
  | { readonly kind: "key"; readonly key: readonly KeyPart[] }
  /** The anchor first, then the siblings before it, nearest first. */
  | { readonly kind: "sibling"; readonly ids: readonly string[] }
  | { readonly kind: "offset"; readonly offset: number };

const cursorVersion = 1;
const longestCursor = 16_384;

/** Writes a place as an opaque cursor of this query: base64 of compact JSON with a checksum. A cursor grants nothing, so it is not signed. */
export function encodeCursor(query: CursorQuery, place: CursorPlace): string {
  const body =
    place.kind === "key"
      ? { v: cursorVersion, q: hashQuery(query), k: place.key }
      : place.kind === "sibling"
        ? { v: cursorVersion, q: hashQuery(query), s: place.ids }
        : { v: cursorVersion, q: hashQuery(query), o: place.offset };
  return toBase64Url(toAscii(JSON.stringify({ ...body, c: checksum(body) })));
}

/** Reads a cursor back; a malformed, altered or foreign one is INVALID_CURSOR, never the first page again. */
export function decodeCursor(query: CursorQuery, cursor: string): CursorPlace {
  const body = parseBody(cursor);
  if (body["v"] === undefined && isOffset(body["offset"])) return { kind: "offset", offset: body["offset"] };
  if (body["v"] !== cursorVersion) throw invalidCursor("it was made by another version of this server");
  const { c: sum, ...rest } = body;
  if (sum !== checksum(rest) || toBase64Url(toAscii(JSON.stringify(body))) !== cursor) {
    throw invalidCursor("it has been altered");
  }
  if (body["q"] !== hashQuery(query)) throw invalidCursor("it belongs to another query");
  const { k: key, s: ids, o: offset } = body;
  if (Array.isArray(key) && key.every(isKeyPart)) return { kind: "key", key };
  if (Array.isArray(ids) && ids.every((id) => typeof id === "string")) return { kind: "sibling", ids };
  if (isOffset(offset)) return { kind: "offset", offset };
  throw invalidCursor("it names no place");
}

/** The failure for a cursor that cannot be used. */
export function invalidCursor(reason: string): ContractError {
  return new ContractError(`Cannot continue from this cursor: ${reason}`, {
    errorCode: "INVALID_CURSOR",
    remediation: "Leave out cursor to start again from the first page, with the same filters on every page.",
    details: { field: "cursor", constraint: reason },
  });
}

function parseBody(cursor: unknown): UnknownRecord {
  if (typeof cursor !== "string" || cursor.length > longestCursor) throw invalidCursor("it is no cursor");
  try {
    const body: unknown = JSON.parse(fromBase64Url(cursor) ?? "");
    if (isRecord(body)) return body;
  } catch {
    // Told below, like every other text that is no cursor.
  }
  throw invalidCursor("it is no cursor");
}

function checksum(body: UnknownRecord): string {
  return shortHash(JSON.stringify(body));
}

function hashQuery({ tool, action, filters, sort }: CursorQuery): string {
  return shortHash(toCanonicalJson([tool, action ?? null, filters ?? {}, sort ?? null]));
}

/** The same text for the same query, whatever the order of its keys. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (!isRecord(inner)) return inner;
    const present = Object.entries(inner).filter(([, member]) => member !== undefined && member !== null);
    return Object.fromEntries(present.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function toAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function isOffset(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isKeyPart(value: unknown): value is KeyPart {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
