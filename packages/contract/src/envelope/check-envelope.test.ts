import { describe, expect, it } from "vitest";
import { failed, faults, good } from "../testing/faults.ts";
import { checkEnvelope, envelopeRules } from "./check-envelope.ts";
import { isEnvelope } from "./envelope-schemas.ts";

describe("checkEnvelope", () => {
  it("finds nothing in valid envelopes", () => {
    expect(checkEnvelope(good)).toEqual([]);
    expect(checkEnvelope(failed)).toEqual([]);
    expect(checkEnvelope({ ...good, meta: { version: "response-v2", own: { anything: 1 } } })).toEqual([]);
  });

  it.each(faults)("finds %s at %s (case %#)", (rule, path, value) => {
    const { level, remedy } = envelopeRules[rule as keyof typeof envelopeRules];
    const findings = checkEnvelope(value);
    expect(findings.map((finding) => ({ ...finding, message: typeof finding.message }))).toEqual([
      { rule, level, path, message: "string", remedy },
    ]);
    expect(isEnvelope(value)).toBe(level !== "MUST");
  });

  it("has a fault for every rule", () => {
    const tested = new Set([...faults.map(([rule]) => rule), "E9"]);
    expect(tested).toEqual(new Set(Object.keys(envelopeRules)));
  });

  it("finds values that JSON cannot represent with the option deep", () => {
    const value = { ...good, data: { a: [Number.NaN] } };
    expect(checkEnvelope(value)).toEqual([]);
    expect(
      checkEnvelope(value, { deep: true }).map(({ rule, path, message }) => [rule, path, message]),
    ).toEqual([["E9", "$.data.a[0]", "holds NaN"]]);
  });

  it("does not throw on hostile values", () => {
    const hostile = {
      ...good,
      get data(): never {
        throw new Error("secret");
      },
    };
    expect(checkEnvelope(hostile).map(({ rule }) => rule)).toEqual(["E9"]);
    expect(isEnvelope(hostile)).toBe(false);
  });
});
