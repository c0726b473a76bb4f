import { checkEnvelope, detectDialect, type Envelope, readEnvelope } from "@foundry-mcp/contract";
import { afterEach, describe, expect, it } from "vitest";
import { connectSdk, type SdkClient, sdkNames, type ToolResult } from "./sdk-clients.ts";

const open: SdkClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

describe.each(sdkNames)("over stdio to %s", (sdk) => {
  /** Connects to a server with these options. */
  async function connect(wishes: object = {}): Promise<SdkClient> {
    const client = await connectSdk(sdk, { script: "policy-stdio", args: [JSON.stringify(wishes)] });
    open.push(client);
    return client;
  }

  async function call(
    client: SdkClient,
    name: string,
    args: Record<string, unknown> = {},
    meta: Record<string, unknown> = {},
  ): Promise<{ envelope: Envelope; result: ToolResult }> {
    const result = await client.callTool({ name, arguments: args, _meta: meta });
    const [first] = result.content;
    expect(JSON.parse(first?.text ?? "")).toEqual(result.structuredContent);
    const envelope = readEnvelope(result.structuredContent) as Envelope;
    expect(result.isError ?? false).toBe(!envelope.success);
    return { envelope, result };
  }

  describe("roles", () => {
    it("let an observer read and refuse its writes", async () => {
      const client = await connect({ role: "observer" });
      const read = await call(client, "ledger", { action: "read" });
      expect(read.envelope.data).toEqual({ entries: 3 });
      const { envelope } = await call(client, "ledger", { action: "write" });
      expect(checkEnvelope(envelope)).toEqual([]);
      expect(envelope.error).toBe('Cannot call ledger(action="write") as observer: it may change something');
      expect(envelope.data).toEqual({
        error_code: "FORBIDDEN",
        error_type: "authorization",
        remediation: "Call with a token of the role maintainer, or use what the role observer may call.",
        details: { role: "observer", needed_role: "maintainer" },
      });
    });

    it("let a maintainer do everything", async () => {
      const { envelope } = await call(await connect(), "ledger", { action: "write" });
      expect(envelope.data).toEqual({ entries: 4 });
    });
  });

  describe("tiers", () => {
    it("enable a feature, omit it with a hint, or refuse it", async () => {
      const community = await connect();
      const { envelope: omitted } = await call(community, "report", { depth: "trends" });
      expect(omitted.data).toEqual({ depth: "plain" });
      expect(omitted.meta.warning_details).toEqual([
        {
          code: "UPGRADE_AVAILABLE",
          severity: "info",
          message: "Trends need the pro tier",
          context: { feature: "trends", tier: "pro" },
        },
      ]);
      const { envelope: refused } = await call(community, "report", { depth: "forecast" });
      expect(refused.error).toBe("Forecasts need the enterprise tier");
      expect(refused.data).toEqual({
        error_code: "UPGRADE_REQUIRED",
        error_type: "authorization",
        remediation: "Upgrade to the enterprise tier, or call without forecast.",
        details: { feature: "forecast", tier: "enterprise" },
      });
      const enterprise = await connect({ tier: "enterprise" });
      const { envelope: forecast } = await call(enterprise, "report", { depth: "forecast" });
      expect(forecast.data).toEqual({ depth: "forecast" });
      expect(forecast.meta.warning_details).toBeUndefined();
    });

    it("disable and enable a whole tool", async () => {
      const { envelope } = await call(await connect({ tier: "pro" }), "archive_all");
      expect(envelope.data["error_code"]).toBe("UPGRADE_REQUIRED");
      const { envelope: opened } = await call(await connect({ tier: "enterprise" }), "archive_all");
      expect(opened.data).toEqual({ archived: true });
    });

    it("give each its own list of capabilities in envelope-v1", async () => {
      const lists = [];
      for (const tier of ["community", "pro", "enterprise"]) {
        const { result } = await call(await connect({ tier, dialect: "envelope-v1" }), "report");
        lists.push((result.structuredContent as { capabilities: unknown }).capabilities);
      }
      expect(lists).toEqual([
        ["envelope-v1"],
        ["envelope-v1", "trends"],
        ["envelope-v1", "trends", "forecast"],
      ]);
    });
  });

  describe("flags", () => {
    it("allow or refuse a client, with the reason", async () => {
      const { envelope } = await call(await connect(), "beta");
      if (sdk === "SDK 1") {
        expect(envelope.error).toBe("Feature 'beta_reports' is not enabled");
        expect(envelope.data).toEqual({
          error_code: "FEATURE_DISABLED",
          error_type: "feature_flag",
          remediation: "Switch the feature flag beta_reports on, or call without the feature.",
          details: { reason: "blocked" },
          feature: "beta_reports",
        });
      } else {
        expect(envelope.data).toEqual({ beta: true });
      }
    });

    it("are off where nothing defines them", async () => {
      const { envelope } = await call(await connect(), "unflagged");
      expect(envelope.data).toMatchObject({ error_code: "FEATURE_DISABLED", feature: "nobody_knows" });
    });

    it("warn of a deprecated feature", async () => {
      const { envelope } = await call(await connect(), "old");
      expect(envelope.data).toEqual({ old: true });
      expect(envelope.meta.warning_details).toMatchObject([
        { code: "DEPRECATED_FIELD", context: { feature: "old_reports" } },
      ]);
    });

    it("are listed as they are for the client", async () => {
      const { envelope } = await call(await connect(), "server", { action: "flags" });
      expect(envelope.data).toEqual({
        flags: [
          {
            name: "beta_reports",
            description: "Reports in beta",
            state: "beta",
            owner: "reports",
            enabled: sdk !== "SDK 1",
            reason: sdk === "SDK 1" ? "blocked" : "default",
          },
          {
            name: "old_reports",
            description: "Reports of old",
            state: "deprecated",
            enabled: true,
            reason: "default",
          },
          {
            name: "response_contract_v2",
            description: "Answers in response-v2",
            state: "stable",
            enabled: true,
            reason: "default",
          },
        ],
      });
    });

    it("return a client to response-v1 where response_contract_v2 is off", async () => {
      const client = await connect({ overrides: { response_contract_v2: false } });
      const { result } = await call(client, "ledger", { action: "read" });
      expect(result.structuredContent).toEqual({ success: true, schema_version: "1.0.0", entries: 3 });
    });
  });

  describe("rate limits", () => {
    it("count, warn and refuse, per tool", async () => {
      const client = await connect({ limit: 6 });
      const told = [];
      for (let count = 0; count < 7; count++) {
        const { envelope } = await call(client, "ledger", { action: "read" });
        told.push([
          envelope.success,
          envelope.meta.rate_limit?.remaining,
          envelope.meta.warning_details?.[0]?.code,
        ]);
      }
      expect(told).toEqual([
        [true, 5, undefined],
        [true, 4, undefined],
        [true, 3, undefined],
        [true, 2, undefined],
        [true, 1, "RATE_LIMIT_APPROACHING"],
        [true, 0, "RATE_LIMIT_APPROACHING"],
        [false, 0, undefined],
      ]);
      const { envelope } = await call(client, "ledger", { action: "read" });
      expect(envelope.error).toBe("Rate limit exceeded: 6 requests per hour");
      expect(envelope.data).toMatchObject({ error_code: "RATE_LIMIT_EXCEEDED", error_type: "rate_limit" });
      expect(envelope.data["retry_after_seconds"]).toBeGreaterThan(3_500);
      expect(envelope.meta.rate_limit).toMatchObject({ limit: 6, remaining: 0, period: "hour" });
      const other = await call(client, "report");
      expect(other.envelope.success).toBe(true);
    });
  });

  describe("the response contract", () => {
    const negotiate = (client: SdkClient, wish: unknown) =>
      call(client, "server", {
        action: "capability-negotiate",
        client_capabilities: { response_contract: wish },
      });

    it("is negotiated for the connection, and back", async () => {
      const client = await connect();
      for (const [wish, dialect] of [
        ["v1", "response-v1"],
        ["envelope-v1", "envelope-v1"],
        ["v2", "response-v2"],
      ] as const) {
        const { envelope } = await negotiate(client, wish);
        expect(envelope.data).toMatchObject({
          negotiated: { response_contract: wish },
          refused: {},
          holds_for: "connection",
        });
        const { result } = await call(client, "ledger", { action: "read" });
        expect(detectDialect(result.structuredContent)).toBe(dialect);
      }
    });

    it("is refused with a reason where the server does not support it", async () => {
      const client = await connect({ dialect: "response-v2" });
      const why = 'response_contract "v1" is not supported; this server supports v2';
      const { envelope } = await negotiate(client, "v1");
      expect(envelope.data).toEqual({
        negotiated: { response_contract: "v2" },
        refused: { response_contract: why },
        holds_for: "connection",
      });
      expect(envelope.meta.warnings).toEqual([`response_contract was not negotiated: ${why}`]);
      const { result } = await call(client, "ledger", { action: "read" });
      expect(detectDialect(result.structuredContent)).toBe("response-v2");
    });

    it("reports unknown capabilities", async () => {
      const client = await connect();
      const { envelope } = await call(client, "server", {
        action: "capability-negotiate",
        client_capabilities: { response_contract: "v9", telepathy: true },
      });
      expect(envelope.data).toEqual({
        negotiated: { response_contract: "v2" },
        refused: {
          response_contract:
            'response_contract "v9" is not supported; this server supports v2, v1, envelope-v1',
          telepathy: "this server negotiates response_contract only",
        },
        holds_for: "connection",
      });
    });

    it("is requested with one call, for that call only", async () => {
      const client = await connect();
      const meta = { "foundry-mcp/response_contract": "envelope-v1" };
      const { result: one } = await call(client, "ledger", { action: "read" }, meta);
      expect(one.structuredContent).toMatchObject({
        tier: "community",
        tool_id: "ledger",
        tool_version: "1.4.0",
        capabilities: ["envelope-v1", "response-v2", "response-v1"],
        data: { entries: 3 },
      });
      const { result: next } = await call(client, "ledger", { action: "read" });
      expect(detectDialect(next.structuredContent)).toBe("response-v2");
      const { envelope } = await call(
        client,
        "ledger",
        { action: "read" },
        {
          "foundry-mcp/response_contract": "v3",
        },
      );
      expect(envelope.meta.warnings).toEqual([
        'response_contract "v3" is not supported; this server supports v2, v1, envelope-v1',
      ]);
    });
  });
});
