import { ContractError, validationError } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { SearchHit, SearchProvider } from "./search-provider.ts";

/** The search server. */
export interface HttpSearchOptions {
  /** The base address of the server, such as `http://localhost:8080`. `/search` is appended to it. */
  readonly baseUrl: string;
  /**
   * The name of the provider.
   * @default "searxng"
   */
  readonly name?: string | undefined;
  /**
   * The deadline of a search in milliseconds.
   * @default 10_000
   */
  readonly timeoutMs?: number | undefined;
  /** The maximum size of a response. @default 4 MiB */
  readonly maxBytes?: number | undefined;
}

const maxTitleLength = 300;

/** Creates a provider that queries a SearXNG server. The address may be private, because the operator configures it. */
export function createHttpSearch(options: HttpSearchOptions): SearchProvider {
  const { name = "searxng", timeoutMs = 10_000, maxBytes = 4 * 2 ** 20 } = options;
  const searchUrl = toSearchUrl(options.baseUrl);
  return {
    name,
    async search(query, { limit, signal }) {
      const url = new URL(searchUrl);
      url.searchParams.set("q", query.toWellFormed());
      url.searchParams.set("format", "json");
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const response = await fetch(url, {
          redirect: "manual",
          headers: { accept: "application/json" },
          signal: AbortSignal.any([signal, deadline]),
        });
        if (response.status !== 200) {
          await response.body?.cancel();
          throw failure(name, `its server answers ${response.status}`);
        }
        return toHits(parseResults(await readBody(response, name, maxBytes), name), limit);
      } catch (err) {
        signal.throwIfAborted();
        if (err instanceof ContractError) throw err;
        throw deadline.aborted
          ? failure(name, `its server did not answer within ${timeoutMs / 1_000} seconds`, err, "TIMEOUT")
          : failure(name, "its server cannot be reached", err);
      }
    },
  };
}

function toSearchUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw validationError(
      {
        field: "baseUrl",
        constraint: "format",
        expected: "an address with http or https, and no password in it",
      },
      { message: "Cannot search: the address of the search server is none" },
    );
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/search`;
  url.hash = "";
  return url.href;
}

async function readBody({ body }: Response, name: string, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes)
      throw failure(name, `its answer has more than ${maxBytes.toLocaleString("en")} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseResults(text: string, name: string): readonly unknown[] {
  let results: unknown;
  try {
    ({ results } = parseJsonText(text) as { results?: unknown });
  } catch (err) {
    throw failure(name, "its answer is no JSON; its server may not allow format=json", err);
  }
  if (!Array.isArray(results)) throw failure(name, "its answer has no results");
  return results;
}

/** Converts results to hits in the order of the server. Skips duplicates and results that are not web pages. */
function toHits(results: readonly unknown[], limit: number): readonly SearchHit[] {
  const hits = new Map<string, SearchHit>();
  for (const [rank, result] of results.entries()) {
    if (hits.size >= limit) break;
    const { url, title, score } = (result ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof url !== "string" || !URL.canParse(url) || !/^https?:/i.test(url) || hits.has(url)) continue;
    hits.set(url, {
      source: { url },
      ...(typeof title === "string" && title.trim() !== ""
        ? { title: title.trim().slice(0, maxTitleLength).toWellFormed() }
        : {}),
      score: typeof score === "number" && Number.isFinite(score) ? score : 1 / (rank + 1),
    });
  }
  return [...hits.values()];
}

function failure(
  name: string,
  why: string,
  cause?: unknown,
  errorCode = "DEPENDENCY_UNAVAILABLE",
): ContractError {
  return new ContractError(`Cannot search with "${name}": ${why}`, {
    errorCode,
    remediation:
      "Look whether the search server runs and answers /search?q=…&format=json, or name the sources yourself.",
    details: { provider: name },
    ...(cause === undefined ? {} : { cause }),
  });
}
