import { describe, expect, it } from "vitest";
import { ruleIds, rules } from "../rules/rules.ts";
import { Ledger } from "./ledger.ts";

const idle = () => ({ status: "not_applicable", reason: "nothing" }) as const;
const resultOf = (ledger: Ledger, id: string) => ledger.results(idle).find(({ rule }) => rule === id);

describe("Ledger", () => {
  it("returns the result of every rule", () => {
    const ledger = new Ledger();
    ledger.pass("MCP-11");
    ledger.fail("MCP-12", { tool: "a", message: "x" });
    ledger.pass("MCP-12");
    ledger.fail("MCP-13", { message: "y" });
    ledger.fail("RV2-06", { message: "z" });
    ledger.skip("MCP-14", "no failure");
    ledger.skip("MCP-11", "not everywhere");
    expect(ledger.results(idle).map(({ rule }) => rule)).toEqual(ruleIds);
    expect(resultOf(ledger, "MCP-11")).toEqual({
      rule: "MCP-11",
      area: "answers",
      level: "MUST",
      title: rules["MCP-11"].title,
      checks: 1,
      broken: 0,
      status: "passed",
    });
    expect(resultOf(ledger, "MCP-12")).toMatchObject({ status: "failed", checks: 2, broken: 1 });
    expect(resultOf(ledger, "MCP-13")).toMatchObject({ status: "warned" });
    expect(resultOf(ledger, "RV2-06")).toMatchObject({ status: "noted" });
    expect(resultOf(ledger, "MCP-14")).toMatchObject({ status: "not_checked", reason: "no failure" });
    expect(resultOf(ledger, "MCP-15")).toMatchObject({ status: "not_applicable", reason: "nothing" });
  });

  it("returns skipped subjects of a rule that was exercised on others", () => {
    const ledger = new Ledger();
    ledger.pass("MCP-42");
    ledger.skip("MCP-42", "no second page");
    ledger.skip("MCP-42", "too odd", "many");
    ledger.skip("MCP-42", "odder still", "many");
    for (const list of ["a", "b", "c", "d"]) ledger.skip("MCP-41", `${list} is odd`, list);
    ledger.exempt("MCP-44", "none says it");
    ledger.exempt("MCP-45", "a takes none");
    ledger.pass("MCP-45");
    expect(ledger.skips()).toEqual([{ rule: "MCP-42", subject: "many", reason: "too odd" }]);
    expect(resultOf(ledger, "MCP-42")).toMatchObject({ status: "passed", checks: 1 });
    expect(resultOf(ledger, "MCP-41")).toMatchObject({
      status: "not_checked",
      reason: "a is odd; b is odd; c is odd; and 1 more",
    });
    expect(resultOf(ledger, "MCP-44")).toMatchObject({ status: "not_applicable", reason: "none says it" });
    expect(resultOf(ledger, "MCP-45")).toMatchObject({ status: "passed" });
  });

  it("returns the first findings of a rule, each once for a tool, the worst first", () => {
    const ledger = new Ledger();
    ledger.fail("RV2-06", { message: "may" });
    for (const tool of ["a", "a", "b", "c", "d", "e", "f", "g"])
      ledger.fail("MCP-12", { tool, message: "same" });
    expect(ledger.findings().map(({ rule, tool }) => [rule, tool])).toEqual([
      ["MCP-12", "a"],
      ["MCP-12", "b"],
      ["MCP-12", "c"],
      ["MCP-12", "d"],
      ["MCP-12", "e"],
      ["RV2-06", undefined],
    ]);
    expect(resultOf(ledger, "MCP-12")?.broken).toBe(8);
  });
});
