import { checkEnvelope, detectDialect, type Envelope, type Failure } from "@foundry-mcp/contract";
import { action, createRegistry, defineTool, type RegistryOptions } from "@foundry-mcp/toolkit";
import { type HttpOptions, type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { createRateLimiter } from "@foundry-mcp/toolkit/limits";
import { openMetrics } from "@foundry-mcp/toolkit/metrics";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { parsePrometheus } from "./prometheus.ts";
import { connectSdk, type SdkClient, type SdkName, sdkNames } from "./sdk-clients.ts";

const ledger = defineTool({
  name: "ledger",
  version: "1.0.0",
  description: "Reads and writes a ledger",
  actions: {
    read: action({ readOnly: true, output: z.object({ lines: z.int() }), run: () => ({ lines: 7 }) }),
    write: action({ output: z.object({ lines: z.int() }), run: () => ({ lines: 8 }) }),
  },
});
const audit = defineTool({
  name: "audit",
  version: "1.0.0",
  description: "Goes through the books",
  readOnly: true,
  tier: "pro",
  output: z.object({ findings: z.int() }),
  run: () => ({ findings: 0 }),
});
const asks = defineTool({
  name: "asks",
  version: "1.0.0",
  description: "Tells who calls",
  readOnly: true,
  output: z.looseObject({}),
  run: (_input, { principal, role, tier, clientKey }) => ({ principal, role, tier, clientKey }),
});

const secrets = {
  ann: "planted-token-of-ann-1",
  bob: "planted-token-of-bob-1",
  cat: "planted-token-of-cat-1",
};
type Name = keyof typeof secrets;
const tokens = [
  { token: secrets.ann, principal: "ann" },
  { token: secrets.bob, principal: "bob", role: "observer" },
  { token: secrets.cat, principal: "cat", tier: "pro" },
] as const;
const bearer = (name: Name) => ({ authorization: `Bearer ${secrets[name]}` });

const servers: RunningHttpServer[] = [];
const clients: SdkClient[] = [];
/** The log lines of the server. */
const log: string[] = [];
const logger = pino({ level: "debug" }, { write: (line: string) => void log.push(line) });

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
  expect(log.splice(0).join("")).not.toContain("planted-token");
});

async function serve(options: HttpOptions = {}, policies: Partial<RegistryOptions> = {}): Promise<string> {
  const registry = createRegistry({
    name: "books",
    version: "1.0.0",
    tools: [ledger, audit, asks],
    ...policies,
  });
  const server = await serveHttp(registry, { port: 0, logger, handleSignals: false, ...options });
  servers.push(server);
  return server.url;
}

async function connect(sdk: SdkName, url: string, headers: Record<string, string>): Promise<SdkClient> {
  const client = await connectSdk(sdk, { url: `${url}/mcp`, headers });
  clients.push(client);
  return client;
}

async function call(url: string, tool: string, args: object = {}, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api/tools/${tool}`, {
    method: "POST",
    body: JSON.stringify(args),
    headers: { "x-request-id": "mine", ...headers },
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Envelope };
}

/** Sends a raw request to /mcp. */
function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "x-request-id": "mine",
      ...headers,
    },
  });
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

/** Returns the failure without its duration. */
const failure = (error: string, data: object, more: object = {}) => ({
  success: false,
  data,
  error,
  meta: {
    version: "response-v2",
    request_id: "mine",
    telemetry: { duration_ms: expect.any(Number) },
    ...more,
  },
});

describe("without a valid token", () => {
  const remediation = "Send the header Authorization: Bearer with a token that this server was given.";
  const unauthorized = (error: string, reason: string) => {
    const data = { error_code: "UNAUTHORIZED", error_type: "authentication", remediation };
    return failure(error, { ...data, details: { reason } });
  };
  const refusals = [
    ["no token", {}, "missing", "A bearer token is required", 'Bearer realm="books"'],
    [
      "another scheme",
      { authorization: "Basic YW5uOmFubg==" },
      "missing",
      "A bearer token is required",
      'Bearer realm="books"',
    ],
    [
      "a wrong token",
      { authorization: `Bearer ${secrets.ann}x` },
      "wrong",
      "The bearer token is not known here",
      'Bearer realm="books", error="invalid_token"',
    ],
  ] as const;

  it.each(refusals)(
    "/api and every other route answer 401 to %s",
    async (_title, headers, reason, error, challenge) => {
      const url = await serve({ tokens });
      const answer = await call(url, "ledger", { action: "read" }, headers);
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, challenge]);
      expect(answer.body).toEqual(unauthorized(error, reason));
      expect(checkEnvelope(answer.body, { deep: true })).toEqual([]);
      const line = JSON.parse(log.at(-1) ?? "") as object;
      const turnedAway = { level: 40, error_code: "UNAUTHORIZED", method: "POST", msg: "turned away" };
      expect(line).toMatchObject({ ...turnedAway, request_id: "mine" });
      for (const path of ["/metrics", "/nowhere", "/healthz/", "/api/tools/ledger"]) {
        expect([path, (await fetch(url + path, { headers })).status]).toEqual([path, 401]);
      }
    },
  );

  it.each(refusals)(
    "/mcp answers 401 to %s, with the envelope in the error",
    async (_title, headers, reason, error, challenge) => {
      const url = await serve({ tokens });
      for (const method of ["POST", "GET", "DELETE"]) {
        const response = await fetch(`${url}/mcp`, {
          method,
          ...(method === "POST" ? { body: JSON.stringify(initialize) } : {}),
          headers: { "content-type": "application/json", "x-request-id": "mine", ...headers },
        });
        expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, challenge]);
        expect(await response.json()).toEqual({
          jsonrpc: "2.0",
          error: { code: -32_000, message: error, data: unauthorized(error, reason) },
          id: null,
        });
      }
    },
  );

  it("the log line has the request id of the answer", async () => {
    const url = await serve({ tokens });
    for (const path of ["/api/tools/ledger", "/mcp", "/nowhere"]) {
      for (const sent of ["", "no id, for it has blanks"]) {
        const response = await fetch(url + path, { headers: sent === "" ? {} : { "x-request-id": sent } });
        const { request_id } = JSON.parse(log.at(-1) ?? "") as { request_id: string };
        expect(request_id).toMatch(/^req_[0-9a-f]{12}$/);
        expect(response.headers.get("x-request-id")).toBe(request_id);
        expect(await response.text()).toContain(`"request_id":"${request_id}"`);
      }
    }
  });

  it.each(sdkNames)("%s cannot connect", async (sdk) => {
    const url = await serve({ tokens });
    await expect(connect(sdk, url, { authorization: "Bearer of-bad-news-0123" })).rejects.toThrow(
      /401|authori[sz]/i,
    );
  });

  it("the probes still answer", async () => {
    const url = await serve({ tokens });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  const always = {
    mcp: "POST /mcp",
    tools: "POST /api/tools/{tool}",
    alive: "GET /healthz",
    ready: "GET /readyz",
  };
  const routesOf = async (url: string) => {
    const response = await fetch(`${url}/`);
    const body = (await response.json()) as Envelope;
    expect([response.status, body.success, checkEnvelope(body, { deep: true })]).toEqual([200, true, []]);
    expect((await fetch(`${url}/`, { method: "HEAD" })).status).toBe(200);
    return body.data;
  };

  it("/ lists the routes, and whether they need a token", async () => {
    expect(await routesOf(await serve({}))).toEqual(always);
    expect(await routesOf(await serve({ tokens }))).toEqual({ ...always, authorization: "Bearer" });
    const metrics = openMetrics();
    try {
      expect(await routesOf(await serve({ metrics }))).toEqual({ ...always, metrics: "GET /metrics" });
    } finally {
      await metrics.close();
    }
  });

  it("a request for no route is told of the routes", async () => {
    const url = await serve({});
    for (const [method, path] of [
      ["GET", "/nowhere"],
      ["POST", "/"],
    ] as const) {
      const response = await fetch(url + path, { method });
      expect([response.status, await response.json()]).toMatchObject([
        404,
        { data: { remediation: "Use one of POST /mcp, POST /api/tools/{tool}, GET /healthz, GET /readyz." } },
      ]);
    }
  });
});

describe("roles and tiers", () => {
  const forbidden = failure('Cannot call ledger(action="write") as observer: it may change something', {
    error_code: "FORBIDDEN",
    error_type: "authorization",
    remediation: "Call with a token of the role maintainer, or use what the role observer may call.",
    details: { role: "observer", needed_role: "maintainer" },
  });

  it("are those of the token over /api", async () => {
    const url = await serve({ tokens });
    const who = async (name: Name) => (await call(url, "asks", {}, bearer(name))).body.data;
    expect(await who("ann")).toEqual({
      principal: "ann",
      role: "maintainer",
      tier: "community",
      clientKey: "ann",
    });
    expect(await who("bob")).toEqual({
      principal: "bob",
      role: "observer",
      tier: "community",
      clientKey: "bob",
    });
    expect(await who("cat")).toEqual({ principal: "cat", role: "maintainer", tier: "pro", clientKey: "cat" });
    const refused = await call(url, "ledger", { action: "write" }, bearer("bob"));
    expect([refused.status, refused.body]).toEqual([403, forbidden]);
    expect((await call(url, "ledger", { action: "read" }, bearer("bob"))).body.data).toEqual({ lines: 7 });
    expect((await call(url, "ledger", { action: "write" }, bearer("ann"))).body.data).toEqual({ lines: 8 });
    expect((await call(url, "audit", {}, bearer("cat"))).body.data).toEqual({ findings: 0 });
    const below = await call(url, "audit", {}, bearer("ann"));
    expect([below.status, (below.body as Failure).data.error_code]).toEqual([403, "UPGRADE_REQUIRED"]);
  });

  it.each(sdkNames)("are those of the token of %s", async (sdk) => {
    const url = await serve({ tokens });
    const [ann, bob, cat] = await Promise.all(
      (["ann", "bob", "cat"] as const).map((name) => connect(sdk, url, bearer(name))),
    );
    const ask = async (client: SdkClient | undefined, name: string, args: Record<string, unknown> = {}) => {
      const _meta = { "foundry-mcp/request_id": "mine" };
      return (await client?.callTool({ name, arguments: args, _meta }))?.structuredContent as Envelope;
    };
    expect((await ask(bob, "asks")).data).toEqual({
      principal: "bob",
      role: "observer",
      tier: "community",
      clientKey: "bob",
    });
    expect(await ask(bob, "ledger", { action: "write" })).toEqual(forbidden);
    expect((await ask(bob, "ledger", { action: "read" })).data).toEqual({ lines: 7 });
    expect((await ask(ann, "ledger", { action: "write" })).data).toEqual({ lines: 8 });
    expect((await ask(ann, "audit")).data).toMatchObject({ error_code: "UPGRADE_REQUIRED" });
    expect((await ask(cat, "audit")).data).toEqual({ findings: 0 });
  });
});

describe("rate limits", () => {
  const day = 86_400;
  const limited = () => ({
    rateLimiter: createRateLimiter({
      limit: 6,
      periodSeconds: day,
      tools: { audit: { limit: 1, periodSeconds: day }, asks: false },
    }),
  });
  const rateLimit = (remaining: number, more: object = {}) => ({
    rate_limit: { limit: 6, remaining, reset_at: expect.any(String), period: "day", ...more },
  });
  const approaching = (remaining: number) => {
    const message = expect.stringMatching(
      new RegExp(`^${remaining} of 6 calls are left for the next 86\\d{3} seconds$`),
    );
    const detail = { code: "RATE_LIMIT_APPROACHING", severity: "warning", message };
    return { warnings: [message], warning_details: [{ ...detail, context: { limit: 6, remaining } }] };
  };
  /** Removes the remaining seconds of the period, which are nearly a day. */
  const headersOf = ({ headers }: { headers: Headers }) => {
    const seconds = Number(/;t=(\d+)$/.exec(headers.get("ratelimit") ?? "")?.[1]);
    expect(seconds).toBeGreaterThan(day - 60);
    expect(seconds).toBeLessThanOrEqual(day);
    return [headers.get("ratelimit-policy"), headers.get("ratelimit")?.replace(/;t=\d+$/, "")];
  };

  it("apply per principal and tool, warn when they run low, and refuse with Retry-After", async () => {
    const url = await serve({ tokens }, limited());
    const read = (name: Name) => call(url, "ledger", { action: "read" }, bearer(name));
    const policy = '"default";q=6;w=86400';
    for (const remaining of [5, 4, 3, 2]) {
      const answer = await read("ann");
      expect(answer.body.meta).toEqual({ ...failure("", {}).meta, ...rateLimit(remaining) });
      expect(headersOf(answer)).toEqual([policy, `"default";r=${remaining}`]);
      expect(answer.headers.get("retry-after")).toBeNull();
    }
    for (const remaining of [1, 0]) {
      const answer = await read("ann");
      expect(answer.status).toBe(200);
      expect(answer.body.meta).toEqual({
        ...failure("", {}).meta,
        ...approaching(remaining),
        ...rateLimit(remaining),
      });
      expect(headersOf(answer)).toEqual([policy, `"default";r=${remaining}`]);
    }
    const refused = await read("ann");
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(day - 60);
    expect(refused.status).toBe(429);
    expect(headersOf(refused)).toEqual([policy, '"default";r=0']);
    expect(refused.body).toEqual(
      failure(
        "Rate limit exceeded: 6 requests per day",
        {
          error_code: "RATE_LIMIT_EXCEEDED",
          error_type: "rate_limit",
          remediation: `Wait ${seconds} seconds before retrying.`,
          remedy: { wait: seconds },
          retry_after_seconds: seconds,
        },
        rateLimit(0, { retry_after: seconds }),
      ),
    );
    expect(checkEnvelope(refused.body, { deep: true })).toEqual([]);
    const resetAt = Date.parse(String(refused.body.meta.rate_limit?.reset_at));
    expect(Math.abs(resetAt - Date.now() - day * 1_000)).toBeLessThan(60_000);
    expect(headersOf(await read("bob"))).toEqual([policy, '"default";r=5']);
    expect(headersOf(await call(url, "audit", {}, bearer("cat")))).toEqual([
      '"audit";q=1;w=86400',
      '"audit";r=0',
    ]);
    const free = await call(url, "asks", {}, bearer("ann"));
    expect([free.headers.get("ratelimit"), free.headers.get("ratelimit-policy")]).toEqual([null, null]);
  });

  it.each(sdkNames)("apply to a principal over every connection of %s, and over /api", async (sdk) => {
    const url = await serve({ tokens }, limited());
    const first = await connect(sdk, url, bearer("ann"));
    const second = await connect(sdk, url, bearer("ann"));
    const other = await connect(sdk, url, bearer("bob"));
    const read = async (client: SdkClient) =>
      (await client.callTool({ name: "ledger", arguments: { action: "read" } }))
        .structuredContent as Envelope;
    for (const [index, client] of [first, second, first, second].entries())
      expect((await read(client)).meta).toMatchObject(rateLimit(5 - index));
    await call(url, "ledger", { action: "read" }, bearer("ann"));
    expect((await read(second)).meta).toMatchObject({ ...approaching(0), ...rateLimit(0) });
    expect(await read(first)).toMatchObject({
      data: { error_code: "RATE_LIMIT_EXCEEDED", retry_after_seconds: expect.any(Number) },
      meta: rateLimit(0, { retry_after: expect.any(Number) }),
    });
    expect(await read(other)).toMatchObject({ data: { lines: 7 } });
  });

  it("count by the reported name of the client where there are no tokens", async () => {
    const url = await serve({}, limited());
    const read = (agent: string) => call(url, "ledger", { action: "read" }, { "user-agent": agent });
    expect(headersOf(await read("one"))[1]).toBe('"default";r=5');
    expect(headersOf(await read("one"))[1]).toBe('"default";r=4');
    expect(headersOf(await read("two"))[1]).toBe('"default";r=5');
  });
});

describe("a session", () => {
  it("is available only to the principal that opened it", async () => {
    const url = await serve({ tokens });
    const opened = await post(url, initialize, bearer("ann"));
    await opened.text();
    const id = String(opened.headers.get("mcp-session-id"));
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    const answerTo = async (response: Response, session: string) => {
      const text = (await response.text()).replaceAll(session, "ID");
      return [response.status, JSON.parse(text) as unknown];
    };
    const unknown = crypto.randomUUID();
    const expected = await answerTo(
      await post(url, list, { ...bearer("bob"), "mcp-session-id": unknown }),
      unknown,
    );
    expect(expected).toMatchObject([404, { error: { data: { data: { error_code: "NOT_FOUND" } } } }]);
    expect(await answerTo(await post(url, list, { ...bearer("bob"), "mcp-session-id": id }), id)).toEqual(
      expected,
    );
    for (const method of ["GET", "DELETE"]) {
      const headers = {
        ...bearer("bob"),
        accept: "text/event-stream",
        "mcp-session-id": id,
        "x-request-id": "mine",
      };
      expect(await answerTo(await fetch(`${url}/mcp`, { method, headers }), id)).toEqual(expected);
    }
    const own = await post(url, list, { ...bearer("ann"), "mcp-session-id": id });
    expect([own.status, await own.text()]).toEqual([200, expect.stringContaining('"ledger"')]);
  });
});

describe("an input request of 2026-07-28", () => {
  const twice = defineTool({
    name: "twice",
    version: "1.0.0",
    description: "Asks, then asks again",
    readOnly: true,
    run: async (_input, { elicit }) => {
      const first = await elicit({ message: "first?", schema: z.object({ value: z.string() }) });
      const second = await elicit({ message: "second?", schema: z.object({ value: z.string() }) });
      return { first, second };
    },
  });
  const ask = async (url: string, name: Name, more: object = {}) => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
    };
    const params = { name: "twice", arguments: {}, ...more, _meta };
    const response = await post(
      url,
      { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      {
        ...bearer(name),
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "twice",
      },
    );
    const { result, error } = (await response.json()) as Record<string, Record<string, unknown>>;
    return result ?? error ?? {};
  };
  const answer = (value: string) => ({ action: "accept", content: { value } });

  it("is answered by its principal, and its state is refused from another", async () => {
    const url = await serve({ tokens }, { tools: [twice] });
    await ask(url, "ann");
    const inputResponses = { question_1: answer("one") };
    const { requestState } = await ask(url, "ann", { inputResponses });
    const second = { requestState, inputResponses: { question_2: answer("two") } };
    expect(await ask(url, "bob", second)).toMatchObject({
      code: -32_602,
      message: "Validation failed: requestState is altered or has expired",
    });
    const { structuredContent } = await ask(url, "ann", second);
    expect((structuredContent as Envelope).data).toEqual({ first: answer("one"), second: answer("two") });
  });
});

describe("the dialect of one answer", () => {
  const forms = [
    ["v2", "response-v2"],
    ["v1", "response-v1"],
    ["envelope-v1", "envelope-v1"],
  ] as const;

  it.each(forms)(
    "is chosen by the header %s over /api, and where no tool is reached",
    async (asked, dialect) => {
      const url = await serve(
        {},
        { dialect: "response-v2", dialects: ["response-v2", "response-v1", "envelope-v1"] },
      );
      const headers = { "foundry-response-contract": asked };
      expect(detectDialect((await call(url, "ledger", { action: "read" }, headers)).body)).toBe(dialect);
      for (const path of ["/", "/healthz", "/readyz", "/nowhere"]) {
        expect(detectDialect(await (await fetch(url + path, { headers })).json()), path).toBe(dialect);
      }
    },
  );

  it("is the default where an unsupported one is requested", async () => {
    const url = await serve({}, { dialect: "response-v2" });
    const { status, body } = await call(url, "asks", {}, { "foundry-response-contract": "v3" });
    expect([status, body.meta.warnings]).toEqual([
      200,
      ['response_contract "v3" is not supported; this server supports v2'],
    ]);
  });

  describe.each(sdkNames)("to %s", (sdk) => {
    it.each(forms)("is chosen by the header %s", async (asked, dialect) => {
      const url = await serve();
      const client = await connect(sdk, url, { "foundry-response-contract": asked });
      const { structuredContent, content } = await client.callTool({ name: "asks" });
      expect(detectDialect(structuredContent)).toBe(dialect);
      expect(content[0]?.text).toBe(JSON.stringify(structuredContent));
    });

    it.each(forms)(
      "is chosen by _meta %s, which takes precedence over the header",
      async (asked, dialect) => {
        const url = await serve();
        const client = await connect(sdk, url, { "foundry-response-contract": "v1" });
        const _meta = { "foundry-mcp/response_contract": asked };
        expect(detectDialect((await client.callTool({ name: "asks", _meta })).structuredContent)).toBe(
          dialect,
        );
        expect(detectDialect((await client.callTool({ name: "asks" })).structuredContent)).toBe(
          "response-v1",
        );
      },
    );

    it("is negotiated for a session, and per request where there is none", async () => {
      const url = await serve();
      const client = await connect(sdk, url, {});
      const other = await connect(sdk, url, {});
      const wish = {
        action: "capability-negotiate",
        client_capabilities: { response_contract: "envelope-v1" },
      };
      const { structuredContent } = await client.callTool({ name: "server", arguments: wish });
      const { data } = structuredContent as Envelope;
      const next = detectDialect((await client.callTool({ name: "asks" })).structuredContent);
      if (sdk === "SDK 2 modern") {
        expect(data).toEqual({
          negotiated: { response_contract: "v2" },
          refused: { response_contract: expect.stringContaining("Foundry-Response-Contract") },
          holds_for: "request",
        });
        expect(next).toBe("response-v2");
      } else {
        expect(data).toEqual({
          negotiated: { response_contract: "envelope-v1" },
          refused: {},
          holds_for: "connection",
        });
        expect(next).toBe("envelope-v1");
      }
      expect(detectDialect((await other.callTool({ name: "asks" })).structuredContent)).toBe("response-v2");
    });
  });
});

describe("GET /metrics", () => {
  it("returns the calls in the text format of Prometheus to a caller with a token", async () => {
    const metrics = openMetrics();
    try {
      const url = await serve({ tokens, metrics });
      for (let times = 0; times < 3; times++) await call(url, "ledger", { action: "read" }, bearer("ann"));
      for (let times = 0; times < 2; times++) await call(url, "audit", {}, bearer("ann"));
      const v1 = { "foundry-response-contract": "v1" };
      await call(url, "asks", {}, { ...bearer("ann"), ...v1 });
      // Responses in response-v1 to requests that call no tool are also counted.
      for (const path of ["/healthz", "/readyz", "/nowhere"]) await fetch(url + path, { headers: v1 });
      const client = await connect("SDK 2 modern", url, bearer("bob"));
      await client.callTool({ name: "ledger", arguments: { action: "read" } });
      expect((await fetch(`${url}/metrics`)).status).toBe(401);
      const response = await fetch(`${url}/metrics`, { headers: bearer("bob") });
      expect([response.status, response.headers.get("content-type")]).toEqual([
        200,
        "text/plain; version=0.0.4; charset=utf-8",
      ]);
      const families = parsePrometheus(await response.text());
      const duration = families.find(({ name }) => name === "mcp_server_operation_duration");
      const counts = duration?.samples.filter(({ name }) => name.endsWith("_count"));
      expect(duration?.type).toBe("histogram");
      expect(
        counts?.map(({ labels, value }) => [labels["gen_ai_tool_name"], labels["error_type"], value]),
      ).toEqual([
        ["ledger", undefined, 4],
        ["audit", "tool_error", 2],
        ["asks", undefined, 1],
      ]);
      expect(families.find(({ name }) => name === "foundry_responses_v1_total")?.samples).toEqual([
        {
          name: "foundry_responses_v1_total",
          labels: { otel_scope_name: "@foundry-mcp/toolkit" },
          value: 4,
        },
      ]);
    } finally {
      await metrics.close();
    }
  });

  it.each([
    ["no end", "# HELP a b\n# TYPE a counter\na 1"],
    ["no type", "a 1\n"],
    ["a foreign name", "# HELP a b\n# TYPE a counter\nb 1\n"],
    ["a value that is none", "# HELP a b\n# TYPE a counter\na one\n"],
    ["an open quote", '# HELP a b\n# TYPE a counter\na{b="c} 1\n'],
    ["a sample twice", "# HELP a b\n# TYPE a counter\na 1\na 2\n"],
    ["no last bucket", '# HELP a b\n# TYPE a histogram\na_count 1\na_bucket{le="1"} 1\n'],
  ])("is read by a strict parser, which refuses %s", (_title, text) => {
    expect(() => parsePrometheus(text)).toThrow();
  });

  it("is no route without metrics", async () => {
    const url = await serve();
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });
});

describe("listening beyond this machine", () => {
  it.each(["0.0.0.0", "::", "", "192.0.2.1", "127.evil.example"])(
    "is refused on %j without tokens",
    async (host) => {
      const remediation =
        "Name who may call in tokens and the host names it may be called by in allowedHosts, or listen on 127.0.0.1.";
      await expect(serve({ host, allowedHosts: ["books.example"] })).rejects.toMatchObject({
        message: `Cannot listen on "${host}", which others can reach, without tokens`,
        options: { errorCode: "INTERNAL_ERROR", remediation },
      });
      await expect(serve({ host, tokens })).rejects.toThrow(/without allowedHosts$/);
      await expect(serve({ host })).rejects.toThrow(/without tokens and allowedHosts$/);
    },
  );

  it("is possible with tokens and allowed hosts", async () => {
    await serve({ host: "0.0.0.0", tokens, allowedHosts: ["127.0.0.1"] });
    const url = `http://127.0.0.1:${servers.at(-1)?.port}`;
    expect((await call(url, "asks", {}, bearer("ann"))).status).toBe(200);
    expect((await call(url, "asks")).status).toBe(401);
  });

  it("needs neither on the loopback interface", async () => {
    for (const host of ["127.0.0.1", "127.0.0.2", "localhost"]) {
      expect(
        (await fetch(`${await serve({ host, allowedHosts: [host, "127.0.0.1", "[::1]"] })}/healthz`)).status,
      ).toBe(200);
    }
  });

  it("is refused with invalid tokens, which are not quoted", async () => {
    const short = serve({ tokens: [{ token: "planted-token", principal: "ann" }] });
    await expect(short).rejects.toThrow(
      /^Cannot create a server over HTTP: tokens\[0\]\.token is shorter than 16 characters$/,
    );
  });
});
