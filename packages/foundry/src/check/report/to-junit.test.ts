import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CheckReport } from "../findings/check-report.ts";
import { parseXml, type ReadElement } from "./testing/parse-xml.ts";
import { brokenReport, partialReport, passedReport, reportOf, resultOf } from "./testing/reports.ts";
import { toJunit } from "./to-junit.ts";

const read = (report: CheckReport) => parseXml(toJunit(report));
const isRed = ({ attributes }: ReadElement) =>
  Number(attributes["failures"]) + Number(attributes["errors"]) > 0;

/** Returns `suite/case: outcome` for every case. */
const outcomes = (root: ReadElement) =>
  root.children.flatMap((suite) =>
    suite.children.map(({ attributes, children }) => {
      const [outcome] = children;
      const told =
        outcome === undefined ? "passed" : `${outcome.name} ${outcome.attributes["message"] ?? ""}`;
      return `${attributes["classname"]}/${attributes["name"]?.split(" ")[0]}: ${told.trim()}`;
    }),
  );

describe("a report as JUnit XML", () => {
  it("is indented for people", () => {
    const report = reportOf({
      verdict: "failed",
      rules: [resultOf("MCP-12", "failed", { broken: 3 })],
      findings: [
        {
          rule: "MCP-12",
          level: "MUST",
          tool: "tide",
          arguments: { port: "<a&b>" },
          path: "isError",
          message: 'It is "true".',
          evidence: "]]> \u001b[31m",
          remedy: "Set it.",
        },
      ],
    });
    expect(toJunit(report)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="contract check of tides" tests="2" failures="1" errors="0" skipped="0" time="1.234">
  <testsuite name="answers" tests="1" failures="1" errors="0" skipped="0" time="0.000">
    <testcase classname="answers" name="MCP-12 isError is true for failures and for nothing else" time="0.000">
      <failure message="It is &quot;true&quot;." type="MUST">tide {"port":"&lt;a&amp;b&gt;"}
  isError: It is "true".
  seen: ]]&gt; \\x1b[31m
… and 2 more
→ Set it.</failure>
    </testcase>
  </testsuite>
  <testsuite name="coverage" tests="1" failures="0" errors="0" skipped="0" time="1.234">
    <testcase classname="coverage" name="tide" time="0.000">
      <system-out>18 calls, 10 successes, 8 failures</system-out>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  it("passes kept and inapplicable rules, warnings and notes", () => {
    expect(outcomes(read(passedReport))).toEqual([
      "response-v2/RV2-01: passed",
      "response-v2/RV2-02: passed",
      "answers/MCP-11: passed",
      "paging/MCP-41: skipped No answer carries meta.pagination.",
      "coverage/tide: system-out",
    ]);
  });

  it("has an error for every required check that was not made", () => {
    expect(outcomes(read(partialReport))).toEqual([
      "response-v2/RV2-01: passed",
      "refusals/MCP-25: system-out",
      "paging/MCP-41: error Not checked: No list had a second page.",
      "paging/MCP-47: skipped Not checked: No list had a second page.",
      "coverage/tide: system-out",
      "coverage/wipe: error Not checked: It may change something.",
      "coverage/resources: error Not checked: The server ended.",
    ]);
  });

  it("treats every MUST and every entry of unchecked as required", () => {
    const report = reportOf({
      verdict: "incomplete",
      rules: [
        resultOf("MCP-11", "not_checked", { reason: "r" }),
        resultOf("MCP-13", "not_checked", { reason: "r" }),
        resultOf("MCP-15", "not_checked", { reason: "r" }),
      ],
      tools: [],
      unchecked: [{ what: "MCP-13", reason: "r" }],
    });
    expect(outcomes(read(report))).toEqual([
      "answers/MCP-11: error Not checked: r",
      "answers/MCP-13: error Not checked: r",
      "answers/MCP-15: skipped Not checked: r",
    ]);
  });

  it("counts its cases in every suite and in total", () => {
    for (const report of [passedReport, partialReport, brokenReport]) {
      const root = read(report);
      const count = (element: ReadElement, name: string): number =>
        element.children.reduce((sum, child) => sum + count(child, name), element.name === name ? 1 : 0);
      for (const element of [root, ...root.children]) {
        const { tests, failures, errors, skipped } = element.attributes;
        expect([tests, failures, errors, skipped].map(Number)).toEqual(
          ["testcase", "failure", "error", "skipped"].map((name) => count(element, name)),
        );
      }
      expect(isRed(root)).toBe(report.verdict !== "passed");
      expect(root.attributes["time"]).toBe("1.234");
      expect(root.children.map(({ attributes }) => Number(attributes["time"])).reduce((a, b) => a + b)).toBe(
        1.234,
      );
    }
  });

  it("stays well-formed whatever a server sends", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom("]", ">", "<", "&", '"', "'", "\n", "\r", "\0", "\ud800", "\uffff", "\u2028"),
      }),
    );
    fc.assert(
      fc.property(texts, texts, texts, texts, (text, tool, argument, path) => {
        const report: CheckReport = {
          ...brokenReport,
          server: { target: text, name: tool },
          rules: [
            resultOf("MCP-11", "failed", { broken: 1 }),
            resultOf("MCP-12", "not_checked", { reason: text }),
            resultOf("MCP-13", "warned", { broken: 1 }),
          ],
          findings: (["MCP-11", "MCP-13"] as const).map((rule) => ({
            rule,
            level: "MUST",
            tool,
            arguments: { [argument]: text },
            path,
            message: text,
            evidence: argument,
            remedy: text,
          })),
          tools: [{ tool, status: "not_checked", calls: 0, successes: 0, failures: 0, reason: text }],
          unchecked: [{ what: text, reason: argument }],
        };
        const root = read(report);
        expect(root.children.length).toBe(2);
        expect(isRed(root)).toBe(true);
      }),
    );
  });

  it("round-trips texts except for characters that XML cannot hold", () => {
    const message = `a "quoted" <tag> & 'more'\n\tsecond line`;
    const finding = { rule: "MCP-12", level: "MUST", message, remedy: "r" } as const;
    const root = read(
      reportOf({
        verdict: "failed",
        rules: [resultOf("MCP-12", "failed", { broken: 1 })],
        findings: [finding],
      }),
    );
    const failure = root.children[0]?.children[0]?.children[0];
    expect(failure).toEqual({
      name: "failure",
      attributes: { message, type: "MUST" },
      children: [],
      text: `  ${message}\n→ r`,
    });
  });
});
