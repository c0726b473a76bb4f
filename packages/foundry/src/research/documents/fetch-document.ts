import { lookup as lookupName } from "node:dns";
import { once } from "node:events";
import { type IncomingMessage, request as requestHttp, STATUS_CODES } from "node:http";
import { request as requestHttps } from "node:https";
import { type AddressRule, guardedLookup, requireAllowedHost } from "./guarded-lookup.ts";
import { mostBytes } from "./most-bytes.ts";
import { isPublicAddress } from "./ssrf-guard.ts";
import { readBody } from "./read-body.ts";
import type { RawDocument } from "./read-document.ts";
import { UnusableDocument } from "./unusable-document.ts";

/** How documents are fetched. */
export interface FetchOptions {
  /** @default 64 MiB */
  readonly maxBytes?: number | undefined;
  /** How long one may take altogether. @default 30 s */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Finds the addresses of a name. @default the system's */
  readonly lookup?: typeof lookupName | undefined;
  /** True for an address that may be connected to. @default those that are public */
  readonly isAllowed?: AddressRule | undefined;
}

const mostRedirects = 5;

/**
 * Fetches a document from the web. Which address a name stands for is looked at when it is connected to, so that no
 * name can mean a public address when it is asked for and a private one when it is used; with each redirect anew.
 */
export async function fetchDocument(address: string, options: FetchOptions = {}): Promise<RawDocument> {
  const { timeoutMs = 30_000, signal } = options;
  signal?.throwIfAborted();
  const ends = new AbortController();
  const late = new UnusableDocument("too_slow", `It did not end within ${timeoutMs / 1_000} seconds`);
  const timer = setTimeout(() => ends.abort(late), timeoutMs);
  const onAbort = () => ends.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await follow(address, options, ends.signal);
  } catch (err) {
    ends.signal.throwIfAborted();
    throw toUnusable(err);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

async function follow(address: string, options: FetchOptions, signal: AbortSignal): Promise<RawDocument> {
  let url = toUrl(address);
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const found = await fetchOnce(url, options, signal);
    if (!("location" in found)) return found;
    const next = toUrl(found.location, url);
    if (url.protocol === "https:" && next.protocol !== "https:")
      throw new UnusableDocument("forbidden", "It leads from https to http, where anyone could change it");
    url = next;
  }
  throw new UnusableDocument(
    "unreachable",
    `It leads from one address to another more than ${mostRedirects} times`,
  );
}

function toUrl(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href))
    throw new UnusableDocument(
      "not_found",
      base === undefined ? "It is no address" : "It leads to no address",
    );
  const url = new URL(address, base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new UnusableDocument("forbidden", "Only addresses with http and https are fetched");
  if (url.username !== "" || url.password !== "")
    throw new UnusableDocument(
      "forbidden",
      "Its address holds a user name or a password, which are not passed on",
    );
  return url;
}

async function fetchOnce(
  url: URL,
  { maxBytes = mostBytes, lookup = lookupName, isAllowed = isPublicAddress }: FetchOptions,
  signal: AbortSignal,
): Promise<RawDocument | { readonly location: string }> {
  requireAllowedHost(url, isAllowed);
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const request = send(url, {
    signal,
    lookup: guardedLookup(lookup, isAllowed),
    // A connection that was made for another check is not used again, and no proxy is asked.
    agent: false,
    headers: {
      accept: "text/html, text/*;q=0.9, application/pdf;q=0.9, */*;q=0.1",
      "accept-encoding": "identity",
      "user-agent": "foundry-mcp",
    },
  });
  // What comes behind the answer is told by its body, or is for nobody.
  request.on("error", () => {});
  try {
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const { statusCode = 0, headers } = response;
    const { location } = headers;
    if ([301, 302, 303, 307, 308].includes(statusCode) && location !== undefined) return { location };
    if (statusCode !== 200) throw refusal(statusCode);
    const bytes = await readBody(response, maxBytes);
    return { bytes, name: url.pathname, contentType: headers["content-type"] };
  } finally {
    request.destroy();
  }
}

function refusal(status: number): UnusableDocument {
  const words = `${status} ${STATUS_CODES[status] ?? ""}`.trim();
  const reason = [404, 410].includes(status)
    ? "not_found"
    : [401, 403, 407, 451].includes(status)
      ? "forbidden"
      : "unreachable";
  return new UnusableDocument(reason, `Its server answers ${words}`);
}

/** Codes of failures are those of Node; what servers say themselves is not repeated. */
function toUnusable(err: unknown): unknown {
  if (err instanceof UnusableDocument) return err;
  const { code } = (err ?? {}) as { code?: unknown };
  if (typeof code !== "string") return err;
  return /^Z_|^ERR_.*BROTLI|^ERR__ERROR_FORMAT/.test(code)
    ? new UnusableDocument("broken", "What its server sends cannot be unpacked", err)
    : new UnusableDocument("unreachable", `Its server cannot be reached (${code})`, err);
}
