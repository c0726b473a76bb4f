import { describe, expect, it } from "vitest";
import { Ledger } from "../findings/ledger.ts";
import { toReport } from "./to-report.ts";

/** Returns the verdict on a server of which only the ledger is known. */
function judge(write: (ledger: Ledger) => void) {
  const ledger = new Ledger();
  write(ledger);
  const { verdict, unchecked } = toReport({
    target: "a server",
    serverInfo: undefined,
    protocolVersion: undefined,
    facts: {
      profile: "contract",
      dialect: "response-v2",
      stopReason: undefined,
      tools: 1,
      answered: 1,
      envelopes: 1,
      isCommand: true,
    },
    results: ledger.results(() => ({ status: "not_applicable", reason: "nothing" })),
    skips: ledger.skips(),
    findings: ledger.findings(),
    tools: [],
    calls: 1,
    durationMs: 1,
  });
  return { verdict, unchecked };
}

describe("the verdict", () => {
  it("is incomplete if a rule was skipped for one list and kept by another", () => {
    expect(
      judge((ledger) => {
        ledger.pass("MCP-42");
        ledger.skip("MCP-42", "it cannot be told", "many");
        ledger.skip("MCP-47", "it cannot be told", "many");
        ledger.pass("MCP-47");
      }),
    ).toEqual({
      verdict: "incomplete",
      unchecked: [{ what: "MCP-42 of many", reason: "it cannot be told" }],
    });
  });

  it("ignores rules that do not apply", () => {
    expect(judge((ledger) => ledger.exempt("MCP-42", "nobody can see it"))).toEqual({
      verdict: "passed",
      unchecked: [],
    });
  });
});
