import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fixtureEntry, openTestGateway, type TestGateway } from "./testing/open-test-gateway.ts";
import {
  type AnswerCall,
  type HttpUpstream,
  sendResult,
  startHttpUpstream,
  startPlainUpstream,
} from "./testing/start-http-upstream.ts";

const open: { gateway?: TestGateway; upstream?: HttpUpstream } = {};
afterEach(async () => {
  await open.gateway?.close();
  await open.upstream?.stop();
});

async function openBeside(upstream: HttpUpstream, entry: object = {}): Promise<TestGateway> {
  open.upstream = upstream;
  open.gateway = await openTestGateway(
    { web: { url: upstream.url, ...entry }, good: fixtureEntry("good") },
    { servers: { web: { timeout: 1 } } },
  );
  return open.gateway;
}

const ok: AnswerCall = (id, response) =>
  sendResult(id, response, { content: [{ type: "text", text: "ok" }] });

it("calls a server over HTTP with its headers, and masks their values", async () => {
  const requests: IncomingMessage["headers"][] = [];
  const secret = "token-1234567890";
  const leak: AnswerCall = (id, response) =>
    sendResult(id, response, { content: [{ type: "text", text: `403: ${secret} may not` }], isError: true });
  const gateway = await openBeside(await startHttpUpstream(leak, requests), {
    headers: { Authorization: `Bearer ${secret}` },
  });
  const answer = await gateway.call("web__call");
  expect([answer.success, answer.error]).toEqual([false, "403: *** may not"]);
  expect(requests.map(({ authorization }) => authorization)).toEqual(requests.map(() => `Bearer ${secret}`));
  expect(JSON.stringify(gateway.status)).not.toContain(secret);
});

describe("a server over HTTP whose call", () => {
  it.each<[string, AnswerCall, string]>([
    ["is answered with 401", (_id, response) => response.writeHead(401).end(), "UNAUTHORIZED"],
    ["is answered with 403", (_id, response) => response.writeHead(403).end(), "FORBIDDEN"],
    ["is answered with 429", (_id, response) => response.writeHead(429).end(), "RATE_LIMIT_EXCEEDED"],
    ["is answered with 500", (_id, response) => response.writeHead(500).end("<h1>Oops</h1>"), "UNAVAILABLE"],
    [
      "is answered with HTML",
      (_id, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Log in</h1>"),
      "UPSTREAM_ERROR",
    ],
    [
      "is answered with text that claims to be JSON",
      (_id, response) => response.writeHead(200, { "Content-Type": "application/json" }).end("{oops"),
      "UPSTREAM_ERROR",
    ],
    ["is not answered", () => {}, "TIMEOUT"],
    ["loses its connection", (_id, response) => response.destroy(), "UNAVAILABLE"],
    [
      "is answered byte by byte",
      (_id, response) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        const timer = setInterval(() => response.write(" "), 50);
        response.on("close", () => clearInterval(timer));
      },
      "TIMEOUT",
    ],
    [
      "has a stream that ends without the answer",
      (_id, response) =>
        response.writeHead(200, { "Content-Type": "text/event-stream" }).end(": no answer\n\n"),
      "UNAVAILABLE",
    ],
  ])("%s gives a typed failure, and another server answers beside it", async (_name, answer, code) => {
    const gateway = await openBeside(await startHttpUpstream(answer));
    const bad = gateway.call("web__call");
    expect(await gateway.call("good__call")).toMatchObject({ success: true });
    const { success, data } = await bad;
    expect([success, data["error_code"], data["details"]]).toEqual([
      false,
      code,
      expect.objectContaining({ upstream: "web" }),
    ]);
  });
});

describe("an address", () => {
  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ["that wants a token", (response) => response.writeHead(401).end(), /HTTP status 401/],
    [
      "without a server",
      (response) => response.writeHead(404).end(),
      /no MCP server answers at the path "\/mcp"/,
    ],
    [
      "that redirects, for a request with secrets",
      (response) => response.writeHead(302, { Location: "http://127.0.0.1:9/" }).end(),
      /sends its callers to another address/,
    ],
    ["that answers with a page", (response) => response.end("<h1>Welcome</h1>"), /Cannot connect/],
  ])("%s makes its tools unavailable, with the reason", async (_name, answer, reason) => {
    const gateway = await openBeside(await startPlainUpstream(answer), {
      headers: { "X-Key": "1234567890" },
    });
    const { data, error } = await gateway.call("web__call");
    expect([data["error_code"], error]).toEqual(["UNAVAILABLE", expect.stringMatching(reason)]);
    expect(await gateway.call("good__call")).toMatchObject({ success: true });
  });
});

const portOf = ({ url }: HttpUpstream) => Number(new URL(url).port);

it("connects to a server that was not there at the start", async () => {
  const before = await startHttpUpstream(ok);
  await before.stop();
  const gateway = await openBeside(before);
  expect(gateway.status.upstreams[0]).toMatchObject({ name: "web", state: "waiting", tools: 0 });
  const failed = await gateway.call("web__call");
  expect(failed.data).toMatchObject({ error_code: "UNAVAILABLE", retry_after_seconds: 2 });
  open.upstream = await startHttpUpstream(ok, [], portOf(before));
  await vi.waitFor(() => expect(gateway.status.upstreams[0]).toMatchObject({ state: "ready", tools: 1 }), {
    timeout: 20_000,
  });
  expect(await gateway.call("web__call")).toMatchObject({ success: true, data: { text: "ok" } });
});

it("connects again to a server that has forgotten its session, and repeats the call", async () => {
  const upstream = await startHttpUpstream(ok);
  const gateway = await openBeside(upstream);
  upstream.forgetSessions();
  expect(await gateway.call("web__call")).toMatchObject({ success: true, data: { text: "ok" } });
  expect(gateway.status.upstreams[0]).toMatchObject({ state: "ready", restarts: 1, breaker: "closed" });
});
