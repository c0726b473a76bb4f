import { errorResponse, successResponse, toEnvelopeV1 } from "@foundry-mcp/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeEnvelopeV1, judgeResponseV1 } from "./judge-envelope-v1.ts";
import { judgeResponseV2, type RuleOutcomes } from "./judge-response-v2.ts";

const brokenIn = (verdict: RuleOutcomes) => verdict.flatMap(([rule, shortfall]) => (shortfall ? [rule] : []));
const keptIn = (verdict: RuleOutcomes) => verdict.flatMap(([rule, shortfall]) => (shortfall ? [] : [rule]));

describe("judgeResponseV2", () => {
  it("applies the rules about successes", () => {
    const verdict = judgeResponseV2(successResponse({ a: 1 }, { requestId: "r" }));
    expect(brokenIn(verdict)).toEqual([]);
    expect(keptIn(verdict)).toEqual([
      "RV2-01",
      "RV2-02",
      "RV2-03",
      "RV2-04",
      "RV2-05",
      "RV2-06",
      "RV2-07",
      "RV2-08",
      "RV2-14",
      "RV2-16",
    ]);
  });

  it.each([
    [successResponse({ a: 1 }), "data is an envelope of response-v2, a success"],
    [errorResponse("No"), "data is an envelope of response-v2, a failure"],
    [
      toEnvelopeV1(errorResponse("No"), { toolId: "t", toolVersion: "1.0.0", tier: "pro" }),
      "data is an envelope of envelope-v1, a failure",
    ],
    [{ success: true, data: { a: 1 } }, undefined],
    [{ success: true, schema_version: "1.0.0" }, undefined],
    [{ answers: [errorResponse("No")] }, undefined],
    [{ meta: { version: "response-v2" }, success: true }, undefined],
  ])("finds an envelope in data: %j", (inner, message) => {
    const outer = { ...successResponse({}, { requestId: "r" }), data: inner };
    const outcome = judgeResponseV2(outer).find(([rule]) => rule === "RV2-16");
    expect(outcome).toEqual(["RV2-16", message === undefined ? undefined : { path: "$.data", message }]);
  });

  it("applies the rules about code, type and remedy to a failure", () => {
    const verdict = judgeResponseV2(errorResponse("No", { errorCode: "NOT_FOUND", requestId: "r" }));
    expect(brokenIn(verdict)).toEqual([]);
    expect(keptIn(verdict)).toEqual(expect.arrayContaining(["RV2-10", "RV2-11", "RV2-13"]));
  });

  it.each([undefined, null, 5, "text", [], {}, { content: "x" }, { success: true }])(
    "says of %j only that it is none",
    (value) => {
      expect(judgeResponseV2(value).map(([rule]) => rule)).toEqual(["RV2-01"]);
    },
  );

  it.each([
    [{ error_type: "oops" }, ["RV2-13"]],
    [{ error_type: "internal" }, ["RV2-13"]],
    [{ error_code: "OWN_CODE", error_type: "conflict" }, []],
    [{ error_code: "RATE_LIMIT_EXCEEDED", error_type: "rate_limit" }, ["RV2-15"]],
  ])("finds what is wrong with a failure of %j", (data, rules) => {
    const failure = errorResponse("No", { errorCode: "NOT_FOUND", requestId: "r", data });
    const json: unknown = JSON.parse(JSON.stringify(failure));
    expect(brokenIn(judgeResponseV2(json))).toEqual(rules);
  });

  it("reports a failure without a remedy", () => {
    const { remediation: _, ...data } = errorResponse("No", { errorCode: "NOT_FOUND" }).data;
    const failure = { ...errorResponse("No", { requestId: "r" }), data };
    expect(brokenIn(judgeResponseV2(failure))).toEqual(["RV2-11"]);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const judge of [judgeResponseV2, judgeEnvelopeV1, judgeResponseV1])
          expect(judge(value).length).toBeGreaterThan(0);
      }),
    );
  });
});

describe("judgeEnvelopeV1", () => {
  const good = {
    tier: "pro",
    tool_version: "1.0.0",
    tool_id: "scan",
    request_id: "r",
    capabilities: ["envelope-v1"],
    duration_ms: 3,
    error: null,
    upgrade_hints: [],
    data: {},
  };

  it("accepts a correct envelope", () => {
    expect(brokenIn(judgeEnvelopeV1(good, "scan"))).toEqual([]);
  });

  it.each([
    [{ tier: "gold" }, "EV1-02"],
    [{ duration_ms: "3" }, "EV1-02"],
    [{ duration_ms: null }, "EV1-06"],
    [{ duration_ms: -1 }, "EV1-06"],
    [{ error: "no" }, "EV1-03"],
    [{ error: { error: "no", error_code: "not_found" } }, "EV1-03"],
    [{ error: { error: "no", error_code: "NOPE", error_details: null } }, "EV1-04"],
    [{ capabilities: [] }, "EV1-05"],
    [{ tool_id: "other" }, "EV1-07"],
    [{ upgrade_hints: [{ feature: "x" }] }, "EV1-08"],
  ])("finds what is wrong with %j", (part, rule) => {
    expect(brokenIn(judgeEnvelopeV1({ ...good, ...part }, "scan"))).toEqual([rule]);
  });

  it("accepts a null duration at tier community, and no missing field", () => {
    expect(brokenIn(judgeEnvelopeV1({ ...good, tier: "community", duration_ms: null }))).toEqual([]);
    const { upgrade_hints: _, ...less } = good;
    expect(brokenIn(judgeEnvelopeV1(less))).toEqual(["EV1-01"]);
  });
});

describe("judgeResponseV1", () => {
  it.each([
    [{ success: true, schema_version: "1.0.0" }, []],
    [{ success: false, schema_version: "1.0.0", error: "No" }, []],
    [{ success: false, schema_version: "1.0.0" }, ["RV1-01"]],
    [{ success: true }, ["RV1-01"]],
    ["text", ["RV1-01"]],
  ])("judges %j", (value, rules) => {
    expect(brokenIn(judgeResponseV1(value))).toEqual(rules);
  });
});
