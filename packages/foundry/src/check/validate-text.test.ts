import { type ContractError, errorResponse, successResponse } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import type { FileReport } from "./report/file-report.ts";
import { validateText } from "./validate-text.ts";

const good = JSON.stringify(successResponse({ a: 1 }, { requestId: "r" }));
const failure = JSON.stringify(errorResponse("No", { errorCode: "NOT_FOUND", requestId: "r" }));
const v1 = JSON.stringify({ success: true, schema_version: "1.0.0", a: 1 });

function reportOf(text: string): FileReport {
  try {
    return validateText(text);
  } catch (thrown) {
    return (thrown as ContractError).options.data as FileReport;
  }
}

describe("validateText", () => {
  it.each([
    [good, 1],
    [`\uFEFF${good}\n`, 1],
    [JSON.stringify(JSON.parse(good), null, 2), 1],
    [`${good}\n\n${failure}\r\n`, 2],
    [`[${good},${failure}]`, 2],
  ])("takes one envelope, a list, or lines (case %#)", (text, envelopes) => {
    expect(validateText(text)).toEqual({
      envelopes,
      valid: envelopes,
      dialects: { "response-v2": envelopes },
      findings: [],
      finding_count: 0,
    });
  });

  it("detects the dialect of each envelope", () => {
    expect(validateText(`${good}\n${v1}`).dialects).toEqual({ "response-v2": 1, "response-v1": 1 });
  });

  it("reports line, rule and path of each violation", () => {
    const broken = good.replace('"error":null', '"error":"x"');
    const { findings, ...rest } = reportOf(`${good}\n${broken}\nnot json\n`);
    expect(rest).toEqual({ envelopes: 3, valid: 1, dialects: { "response-v2": 3 }, finding_count: 2 });
    expect(
      findings.map(({ envelope, line, rule, level, path }) => [envelope, line, rule, level, path]),
    ).toEqual([
      [2, 2, "RV2-02", "MUST", "$.error"],
      [3, 3, "RV2-09", "MUST", "$"],
    ]);
  });

  it("fails with CONTRACT_BROKEN if a MUST is broken, and succeeds if only a SHOULD is", () => {
    expect(() => validateText("{}")).toThrow("1 of 1 envelope breaks a rule that binds");
    const { findings, valid } = validateText(JSON.stringify(successResponse({})));
    expect([valid, findings.map(({ rule }) => rule)]).toEqual([1, ["RV2-14"]]);
  });

  it("reports malformed JSON over several lines once", () => {
    expect(reportOf('{\n  "success": true,\n  oops\n}').envelopes).toBe(1);
  });

  it("refuses an empty text", () => {
    expect(() => validateText(" \n ")).toThrow("There is no envelope to validate: the text is empty");
  });

  it("says what a text holds instead of an envelope", () => {
    const messages = (text: string) => reportOf(text).findings.map(({ message }) => message);
    expect(() => validateText("[]")).toThrow("There is no envelope to validate: the list is empty");
    expect(messages("null")).toEqual(["the answer is no envelope: it is null"]);
    expect(messages('"a"\n{}')).toEqual([
      "the answer is no envelope: it is a text",
      "the answer is no envelope: its keys are none",
    ]);
    expect(messages(`{"content":[],"structuredContent":${good}}`)).toEqual([
      "this is a tool result: the envelope stands in structuredContent",
    ]);
    expect(messages(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":${good}}}`)).toEqual([
      "this is a message of JSON-RPC: the envelope stands in result.structuredContent, or in error.data",
    ]);
  });

  it("reports surplus keys once", () => {
    const { findings } = reportOf(good.replace('"error":null', '"error":null,"x":1,"y":2'));
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
      ["RV2-01", 'Unrecognized keys: "x", "y"'],
    ]);
  });

  it("names the dialect of an envelope that is not in the requested one", () => {
    const told = (text: string, dialect: "response-v1" | "response-v2" | "envelope-v1") => {
      expect(() => validateText(text, dialect)).toThrow("1 of 1 envelope breaks");
      try {
        validateText(text, dialect);
      } catch (thrown) {
        const { findings } = (thrown as ContractError).options.data as FileReport;
        return findings.map(({ rule, message }) => [rule, message]);
      }
      return undefined;
    };
    expect(told(v1, "response-v2")).toEqual([["RV2-01", "the answer is an envelope of response-v1"]]);
    expect(told(good, "response-v1")).toEqual([["RV1-01", "the answer is an envelope of response-v2"]]);
    expect(told(good, "envelope-v1")).toEqual([["EV1-01", "the answer is an envelope of response-v2"]]);
  });

  it.each([5_000, 100_000])("takes a list that is nested %i deep for a value like any other", (depth) => {
    const deep = "[".repeat(depth) + "]".repeat(depth);
    expect(reportOf(deep).findings.map(({ message }) => message)).toEqual([
      "the answer is no envelope: it is a list",
    ]);
    expect(validateText(good.replace('"a":1', `"a":${deep}`)).valid).toBe(1);
  });

  it("counts every finding and returns the first hundred", () => {
    const { findings, finding_count: count } = reportOf(Array.from({ length: 300 }, () => "{}").join("\n"));
    expect([findings.length, count]).toEqual([100, 300]);
  });
});
