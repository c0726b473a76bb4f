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

function isPlace(kind: unknown, where: unknown): boolean {
  if (kind === "offset") return isOffset(where);
  const isPart = (part: unknown) =>
    kind === "key" ? typeof part !== "object" || part === null : typeof part === "string";
  return (kind === "key" || kind === "sibling") && Array.isArray(where) && where.every(isPart);
}
