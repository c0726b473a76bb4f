import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { isContractError } from "@foundry-mcp/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpSearch } from "./http-search.ts";

async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const { signal } = new AbortController();
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "accepted",
    (err: unknown) => {
      if (!isContractError(err)) throw err;
      return [err.code, err.message];
    },
  );
const json =
  (value: unknown): RequestListener =>
  (_, response) =>
    response.end(JSON.stringify(value));

describe("createHttpSearch", () => {
  it("sends the query as SearXNG expects it, and converts the results to hits", async () => {
    const asked: unknown[] = [];
    const base = await startServer((request, response) => {
      asked.push(request.method, request.url);
      response.end(
        JSON.stringify({
          results: [
            { url: "https://a.test/1", title: " One ", score: 2.5, content: "…" },
            { url: "https://a.test/1", title: "Again" },
            { url: "javascript:alert(1)" },
            { url: "file:///etc/passwd" },
            { url: 7 },
            null,
            "text",
            { url: "http://b.test/", title: "", score: "9" },
            { url: "https://c.test/" },
          ],
        }),
      );
    });
    const provider = createHttpSearch({ baseUrl: `${base}/searx/` });
    expect(provider.name).toBe("searxng");
    expect(await provider.search("tide & moon 潮水", { limit: 2, signal })).toEqual([
      { source: { url: "https://a.test/1" }, title: "One", score: 2.5 },
      { source: { url: "http://b.test/" }, score: 1 / 8 },
    ]);
    expect(asked).toEqual(["GET", "/searx/search?q=tide+%26+moon+%E6%BD%AE%E6%B0%B4&format=json"]);
  });

  it.each<[string, RequestListener, string]>([
    ["refuses", (_, response) => response.writeHead(403).end("no"), "its server answers 403"],
    ["fails", (_, response) => response.writeHead(500).end(), "its server answers 500"],
    [
      "sends elsewhere",
      (_, response) => response.writeHead(302, { location: "/search?q=a&format=json&x=1" }).end(),
      "its server answers 302",
    ],
    [
      "speaks HTML",
      (_, response) => response.end("<html>"),
      "its answer is no JSON; its server may not allow format=json",
    ],
    ["has no results", json({ answers: [] }), "its answer has no results"],
    ["gives null", json(null), "its answer is no JSON; its server may not allow format=json"],
    [
      "talks too much",
      (_, response) => response.end("x".repeat(2_000)),
      "its answer has more than 1,000 bytes",
    ],
    ["hangs up", (request) => request.socket.destroy(), "its server cannot be reached"],
  ])("reports a server that %s", async (_, answer, why) => {
    const base = await startServer(answer);
    const provider = createHttpSearch({ baseUrl: base, name: "mine", maxBytes: 1_000 });
    expect(await refusal(provider.search("a", { limit: 5, signal }))).toEqual([
      "DEPENDENCY_UNAVAILABLE",
      `Cannot search with "mine": ${why}`,
    ]);
  });

  it("times out where the server never answers", async () => {
    const base = await startServer(() => {});
    const provider = createHttpSearch({ baseUrl: base, timeoutMs: 50 });
    expect(await refusal(provider.search("a", { limit: 5, signal }))).toEqual([
      "TIMEOUT",
      'Cannot search with "searxng": its server did not answer within 0.05 seconds',
    ]);
  });

  it("times out where the server stops within its response", async () => {
    const base = await startServer((_, response) => void response.write('{"results": ['));
    const provider = createHttpSearch({ baseUrl: base, timeoutMs: 200 });
    expect(await refusal(provider.search("a", { limit: 5, signal }))).toMatchObject([
      "TIMEOUT",
      expect.any(String),
    ]);
  });

  it("closes the connection when it is aborted", async () => {
    const stop = new AbortController();
    const base = await startServer(() => stop.abort(new Error("enough")));
    await expect(
      createHttpSearch({ baseUrl: base }).search("a", { limit: 5, signal: stop.signal }),
    ).rejects.toThrow("enough");
  });

  it.each(["", "searx", "ftp://a.test", "http://me:secret@a.test"])("refuses the address %j", (baseUrl) => {
    expect(() => createHttpSearch({ baseUrl })).toThrow(
      "Cannot search: the address of the search server is none",
    );
  });
});
