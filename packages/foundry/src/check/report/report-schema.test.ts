import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { CheckReport } from "../findings/check-report.ts";
import { ruleIds } from "../rules/rules.ts";
import { checkReportSchema } from "./report-schema.ts";
import { brokenReport, partialReport, passedReport, plainReport } from "./testing/reports.ts";

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

describe("the schema of a report", () => {
  it("has the type of a report", () => {
    expectTypeOf<Frozen<z.infer<typeof checkReportSchema>>>().toEqualTypeOf<CheckReport>();
  });

  it.each([passedReport, partialReport, brokenReport, plainReport])(
    "admits a report and changes nothing of it",
    (report) => {
      expect(checkReportSchema.parse(report)).toEqual(report);
    },
  );

  it("admits every rule there is", () => {
    const [first] = passedReport.rules;
    const all = { ...passedReport, rules: ruleIds.map((rule) => ({ ...first, rule })) };
    expect(checkReportSchema.safeParse(all).error?.issues).toBeUndefined();
  });

  it.each([
    ["verdict", { ...passedReport, verdict: "fine" }],
    ["counts.noted", { ...passedReport, counts: { ...passedReport.counts, noted: undefined } }],
    ["rules.0.rule", { ...passedReport, rules: [{ ...passedReport.rules[0], rule: "mcp 1" }] }],
    ["calls", { ...passedReport, calls: -1 }],
  ])("refuses a wrong %s", (place, report) => {
    expect(checkReportSchema.safeParse(report).error?.issues.map(({ path }) => path.join("."))).toEqual([
      place,
    ]);
  });

  it("takes at most a quarter of the token limit of a definition as JSON Schema", () => {
    const text = JSON.stringify(z.toJSONSchema(checkReportSchema));
    expect(text.length).toBeLessThan(4_000);
    expect(text).toContain('"unseen_actions"');
  });
});
