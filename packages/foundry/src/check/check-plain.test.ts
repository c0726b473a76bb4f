import { successResponse, type UnknownRecord } from "@foundry-mcp/contract";
import { InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkServer, type ServerCheckOptions } from "./check-server.ts";
import type { CheckReport } from "./findings/check-report.ts";

type Result = { content: { type: "text"; text: string }[]; structuredContent?: UnknownRecord };

/** Checks a server of the SDK with one read-only tool. The server does not send envelopes. */
async function check(answer: (n: number) => Result, options: ServerCheckOptions = {}) {
  const open = () => {
    const server = new McpServer({ name: "plain", version: "1.0.0" });
    const config = {
      description: "Half of a number",
      inputSchema: z.object({ n: z.number() }),
      outputSchema: z.object({ half: z.number() }),
      annotations: { readOnlyHint: true },
    };
    server.registerTool("half", config, ({ n }) => answer(n));
    const annotations = { readOnlyHint: true };
    server.registerTool("now", { description: "No parameters", annotations }, () => ({ content: [] }));
    const [mine, theirs] = InMemoryTransport.createLinkedPair();
    void server.connect(theirs);
    return { transport: mine };
  };
  return checkServer({ label: "plain", open }, { protocol: "legacy", ...options });
}

const half = (n: number): Result => ({
  content: [{ type: "text", text: String(n / 2) }],
  structuredContent: { half: n / 2 },
});
const statusOf = ({ rules }: CheckReport, id: string) => rules.find(({ rule }) => rule === id);
const musts = ({ findings }: CheckReport) => findings.filter(({ level }) => level === "MUST");

describe("a server without envelopes", () => {
  it("gets one finding that names wrapTool and the profile, and nothing is left unchecked", async () => {
    const report = await check(half);
    expect(report.verdict).toBe("failed");
    expect(musts(report)).toEqual([
      {
        rule: "RV2-01",
        level: "MUST",
        tool: "now",
        arguments: {},
        message: expect.stringMatching(/^None of the \d+ answers is an envelope$/),
        evidence: '{"content":[]}',
        remedy: expect.stringMatching(/wrapTool of @foundry-mcp\/toolkit\/mcp.*--profile mcp/),
      },
    ]);
    expect(report.rules.filter(({ status }) => status === "not_checked")).toEqual([]);
    expect(statusOf(report, "RV2-03")).toMatchObject({
      status: "not_applicable",
      reason: "no answer was an envelope",
    });
    // A tool without parameters cannot be made to fail, not even by a calls file.
    expect(report.unchecked).toEqual([]);
  });

  it("passes in the profile mcp, which says what wrapTool would add", async () => {
    const report = await check(half, { profile: "mcp" });
    expect([report.verdict, report.profile, musts(report)]).toEqual(["passed", "mcp", []]);
    expect(statusOf(report, "RV2-01")).toMatchObject({
      status: "not_applicable",
      reason: "it is not in the profile mcp",
    });
    expect(statusOf(report, "MCP-22")).toMatchObject({ status: "passed" });
    // The SDK drops arguments that the schema does not name.
    expect(report.wrapping?.fixes).toEqual(["MCP-25"]);
    expect(report.wrapping?.adds.slice(0, 2)).toEqual(["RV2-01", "RV2-02"]);
    expect(report.wrapping?.adds.slice(-2)).toEqual(["MCP-13", "MCP-29"]);
  });

  it("is not asked for an output schema that admits envelopes, as its failures are text alone", async () => {
    expect(statusOf(await check(half), "MCP-07")).toMatchObject({
      status: "not_applicable",
      reason: "no failure came with structured content",
    });
  });

  it("gets the same one finding in a dialect that is asked for", async () => {
    const report = await check(half, { dialect: "envelope-v1" });
    expect(musts(report).map(({ rule }) => rule)).toEqual(["EV1-01"]);
    expect(report.rules.filter(({ status }) => status === "not_checked")).toEqual([]);
  });

  it("is one that sends envelopes once it has sent one", async () => {
    const report = await check((n) => {
      const envelope = successResponse({ half: n / 2 });
      return {
        content: [{ type: "text", text: JSON.stringify(envelope) }],
        structuredContent: { half: n / 2, ...envelope },
      };
    });
    expect(report.wrapping).toBeUndefined();
    expect(musts(report).map(({ rule }) => rule)).toContain("RV2-01");
  });
});
