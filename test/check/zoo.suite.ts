import { type CheckReport, type Rule, rules } from "foundry-mcp/check";
import { describe, expect, it } from "vitest";
import { brokenServers, correctServers, goodServers } from "./zoo/zoo.ts";
import type { ZooEntry } from "./zoo/zoo-entry.ts";

const statusOf = { MUST: "failed", SHOULD: "warned", MAY: "noted" } as const;

const table: ReadonlyMap<string, Rule> = new Map(Object.entries(rules));

/** The rule that each fault breaks, by the fault's name in the table. */
const ruleOfFault = new Map(
  [...table].flatMap(([id, { breaks }]) => Object.keys(breaks).map((name) => [name, id])),
);

/** Returns the broken rules of a report, each with its status and its first finding. */
function toBroken({ rules: results, findings }: CheckReport) {
  return results
    .filter(
      ({ broken, status }) => broken > 0 || status === "failed" || status === "warned" || status === "noted",
    )
    .map(({ rule, status }) => ({
      rule,
      status,
      shownBy: findings.find((finding) => finding.rule === rule),
    }));
}

/** Returns the expected report of a server that has only these faults. */
function toExpected(ids: readonly (string | undefined)[]) {
  return [...table]
    .filter(([id]) => ids.includes(id))
    .map(([rule, { level }]) => ({
      rule,
      status: statusOf[level],
      shownBy: expect.objectContaining({ rule }),
    }));
}

/** Tests a checker with the zoo. The checker must report every fault under the right rule, and nothing else. */
export function describeZoo(
  check: (entry: ZooEntry) => Promise<CheckReport>,
  { withProcess }: { readonly withProcess: boolean },
): void {
  it("has exactly one server for every fault of the table", () => {
    const names = brokenServers.map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(ruleOfFault.keys()));
    expect(names.length).toBeGreaterThanOrEqual(40);
  });

  describe("the good server passes", () => {
    it.each(goodServers)("$name", async (entry) => {
      const report = await check(entry);
      expect(toBroken(report)).toEqual([]);
      expect(report.unchecked).toEqual([]);
      const left = report.rules.filter(({ status }) => status === "not_checked");
      expect(left.map(({ rule, reason }) => [rule, reason])).toEqual([]);
      expect([report.verdict, report.dialect]).toEqual(["passed", entry.dialect]);
    });
  });

  describe("correct servers in styles of their own pass", () => {
    it.each(correctServers)("$name", async (entry) => {
      const report = await check(entry);
      expect(toBroken(report)).toEqual([]);
      expect(report.unchecked).toEqual([]);
      expect([report.verdict, report.dialect]).toEqual(["passed", entry.dialect]);
    });
  });

  describe("each fault is found by its rule", () => {
    it.each(brokenServers.filter(({ needsProcess }) => withProcess || !needsProcess))(
      "$name",
      async (entry) => {
        const rule = ruleOfFault.get(entry.name);
        const report = await check(entry);
        expect(toBroken(report)).toEqual(toExpected([rule, ...entry.also]));
        expect(report.dialect).toBe(entry.dialect);
        expect(report.verdict === "failed").toBe(
          toExpected([rule, ...entry.also]).some(({ status }) => status === "failed"),
        );
      },
    );
  });
}
