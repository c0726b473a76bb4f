import { ContractError } from "../errors/contract-error.ts";
import { internal } from "../errors/failures.ts";
import { isRecord } from "../json/json-value.ts";
import { parseJsonText } from "../json/parse-json-text.ts";
import { toJsonValue } from "../json/to-json.ts";
import { shortHash } from "../text/sha256.ts";

/** The query that a cursor belongs to; a cursor of any other query is refused. */
export interface CursorQuery {
  readonly tool: string;
  readonly action?: string | undefined;
  /** The active filters; null and undefined count as absent. */
  readonly filters?: object | undefined;
  readonly sort?: unknown;
}

/** One part of a sort key. */
export type KeyPart = string | number | boolean | null;

/** The start of the next page: after a sort key, after a sibling, or at an offset. */
export type CursorPlace =
  | { readonly kind: "key"; readonly key: readonly KeyPart[] }
  /** The ids of the last rows of earlier pages, and the ids of the rows that follow them, in the order of the list. */
  | { readonly kind: "sibling"; readonly ids: readonly [shown: readonly string[], next: readonly string[]] }
  | { readonly kind: "offset"; readonly offset: number };

const cursorVersion = 1;
const maxCursorLength = 2 ** 18;

/**
 * Encodes a place as an opaque cursor of this query. The cursor is compact JSON with a checksum, encoded as base64;
 * it is not signed, because it grants no access.
 */
export function encodeCursor(query: CursorQuery, place: CursorPlace): string {
  const { kind, ...rest } = place;
  const [value] = Object.values(rest);
  if (!isPlace(kind, value)) throw internal(`Cannot continue after ${kind}: it is not a position in a list`);
  const body = [cursorVersion, hashQuery(query), kind, value];
  return toBase64Url(toAscii(JSON.stringify([...body, shortHash(JSON.stringify(body))])));
}

/** Decodes a cursor; throws INVALID_CURSOR for a malformed or altered cursor and for a cursor of another query. */
export function decodeCursor(query: CursorQuery, cursor: string): CursorPlace {
  const text = typeof cursor === "string" && cursor.length <= maxCursorLength ? fromBase64Url(cursor) : null;
  const body = parseJson(text);
  if (isRecord(body) && isOffset(body["offset"])) return { kind: "offset", offset: body["offset"] };
  if (!Array.isArray(body)) throw invalidCursor("it is not a cursor");
  const [version, hash, kind, value] = body as unknown[];
  if (version !== cursorVersion) throw invalidCursor("it was made by another version of this server");
  if (hash !== hashQuery(query)) throw invalidCursor("it belongs to another query");
  if (!isPlace(kind, value)) throw invalidCursor("it contains no position");
  const place = {
    kind,
    [kind === "key" ? "key" : kind === "sibling" ? "ids" : "offset"]: value,
  } as CursorPlace;
  // Each place has exactly one cursor text. Encoding the decoded place again therefore detects every altered cursor.
  if (encodeCursor(query, place) !== cursor) throw invalidCursor("it has been altered");
  return place;
}

/** Creates the failure of a cursor that cannot be used. */
export function invalidCursor(reason: string): ContractError {
  return new ContractError(`Cannot continue from this cursor: ${reason}`, {
    errorCode: "INVALID_CURSOR",
    remediation: "Leave out cursor to start again from the first page, with the same filters on every page.",
    details: { field: "cursor", constraint: "usable", reason },
  });
}

function parseJson(text: string | null): unknown {
  try {
    return parseJsonText(text ?? "");
  } catch {
    return undefined;
  }
}

/** Hashes a query independently of the order of its keys. */
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

function isOffset(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isPlace(kind: unknown, value: unknown): boolean {
  if (kind === "offset") return isOffset(value);
  if (!Array.isArray(value)) return false;
  if (kind === "key")
    return value.every(
      (part) =>
        part === null || typeof part === "string" || typeof part === "boolean" || Number.isFinite(part),
    );
  return (
    kind === "sibling" &&
    value.length === 2 &&
    value.every((ids) => Array.isArray(ids) && ids.every((id) => typeof id === "string"))
  );
}

function toAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// Every JavaScript runtime has these functions, but TypeScript's language library does not declare them.
declare function btoa(binary: string): string;
declare function atob(base64: string): string;

/** Encodes ASCII text as URL-safe base64 without padding. */
function toBase64Url(ascii: string): string {
  return btoa(ascii).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Decodes base64 in the standard or the URL-safe alphabet, with or without padding; null for any other text. */
function fromBase64Url(text: string): string | null {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null;
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return null;
  }
}
