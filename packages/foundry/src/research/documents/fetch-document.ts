import { lookup as lookupName } from "node:dns";
import { once } from "node:events";
import { type IncomingMessage, request as requestHttp, STATUS_CODES } from "node:http";
import { request as requestHttps } from "node:https";
import { readBody } from "./read-body.ts";
import type { RawDocument } from "./read-document.ts";
import { type AddressFilter, guardedLookup, isPublicAddress, requireAllowedHost } from "./ssrf-guard.ts";
import { maxDocumentBytes, UnusableDocument } from "./unusable-document.ts";

/** The limits of a fetch. */
export interface FetchOptions {
  /**
   * The maximum size of a document.
   * @default 64 MiB
   */
  readonly maxBytes?: number | undefined;
  /** The deadline, including all redirects. @default 30 s */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Resolves host names. @default the resolver of the system */
  readonly lookup?: typeof lookupName | undefined;
  /** Returns true for an IP address to which connections are allowed. @default isPublicAddress */
  readonly isAllowed?: AddressFilter | undefined;
}

const maxRedirects = 5;

/**
 * Fetches a document over HTTP, with protection against SSRF. Every connection, including those after redirects,
 * checks the IP address that it actually connects to. This check also prevents DNS rebinding.
 */
export async function fetchDocument(address: string, options: FetchOptions = {}): Promise<RawDocument> {
  const { timeoutMs = 30_000, signal } = options;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const timeout = new UnusableDocument("too_slow", `It did not end within ${timeoutMs / 1_000} seconds`);
  const timer = setTimeout(() => controller.abort(timeout), timeoutMs);
  const onAbort = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await fetchWithRedirects(address, options, controller.signal);
  } catch (err) {
    controller.signal.throwIfAborted();
    throw fromNetworkError(err);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

async function fetchWithRedirects(
  address: string,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<RawDocument> {
  let url = toUrl(address);
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const found = await fetchOnce(url, options, signal);
    if (!("location" in found)) return found;
    const next = toUrl(found.location, url);
    if (url.protocol === "https:" && next.protocol !== "https:")
      throw new UnusableDocument(
        "forbidden",
        "It redirects from https to http, where anyone could change it",
      );
    url = next;
  }
  throw new UnusableDocument(
    "unreachable",
    `It redirects from one address to another more than ${maxRedirects} times`,
  );
}

function toUrl(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href))
    throw new UnusableDocument(
      "not_found",
      base === undefined ? "It is not a valid address" : "It redirects to an invalid address",
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
  { maxBytes = maxDocumentBytes, lookup = lookupName, isAllowed = isPublicAddress }: FetchOptions,
  signal: AbortSignal,
): Promise<RawDocument | { readonly location: string }> {
  requireAllowedHost(url, isAllowed);
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const request = send(url, {
    signal,
    lookup: guardedLookup(lookup, isAllowed),
    // Without an agent, a connection that another address check allowed is never reused.
    agent: false,
    headers: {
      accept: "text/html, text/*;q=0.9, application/pdf;q=0.9, */*;q=0.1",
      "accept-encoding": "identity",
      "user-agent": "foundry-mcp",
    },
  });
  // Errors after the response are reported through its body.
  request.on("error", () => {});
  try {
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const { statusCode = 0, headers } = response;
    const { location } = headers;
    if ([301, 302, 303, 307, 308].includes(statusCode) && location !== undefined) return { location };
    if (statusCode !== 200) throw fromStatus(statusCode);
    const bytes = await readBody(response, maxBytes);
    return { bytes, name: url.pathname, contentType: headers["content-type"] };
  } finally {
    request.destroy();
  }
}

function fromStatus(status: number): UnusableDocument {
  const statusText = `${status} ${STATUS_CODES[status] ?? ""}`.trim();
  const reason = [404, 410].includes(status)
    ? "not_found"
    : [401, 403, 407, 451].includes(status)
      ? "forbidden"
      : "unreachable";
  return new UnusableDocument(reason, `Its server answers ${statusText}`);
}

/** Converts a network error using only Node's error code, because messages of servers must not be repeated. */
function fromNetworkError(err: unknown): unknown {
  if (err instanceof UnusableDocument) return err;
  const { code } = (err ?? {}) as { code?: unknown };
  if (typeof code !== "string") return err;
  return /^Z_|^ERR_.*BROTLI|^ERR__ERROR_FORMAT/.test(code)
    ? new UnusableDocument("broken", "What its server sends cannot be unpacked", err)
    : new UnusableDocument("unreachable", `Its server cannot be reached (${code})`, err);
}
