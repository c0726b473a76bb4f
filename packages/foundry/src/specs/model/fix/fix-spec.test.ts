import { isRecord } from "@foundry-mcp/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../files/json-text/edit.ts";
import type { SpecDocument } from "../spec-document.ts";
import { brokenSpecs, validSpecs } from "../validate/testing/spec-arbitraries.ts";
import { validateSpec } from "../validate/validate-spec.ts";
import { fixSpec } from "./fix-spec.ts";

const now = "2026-03-04T05:06:07Z";
const anything = fc.oneof(
  { weight: 5, arbitrary: brokenSpecs },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom("spec_id", "generated", "hierarchy", "x"), fc.jsonValue()),
  },
);
const fixed = (document: SpecDocument) => applyEdits(document, fixSpec(document, now).edits);
const idsOf = ({ hierarchy }: SpecDocument) => (isRecord(hierarchy) ? Object.keys(hierarchy) : []);

describe("the fix of any spec", () => {
  const runs = { numRuns: 500 };

  it("has nothing left to do", () => {
    fc.assert(
      fc.property(anything, (document) => {
        const after = fixed(document);
        expect(fixSpec(after, "2027-01-01T00:00:00Z")).toMatchObject({ edits: [], actions: [] });
        expect(validateSpec(after).diagnostics.filter((each) => each.auto_fixable)).toEqual([]);
      }),
      runs,
    );
  });

  it("keeps every node", () => {
    fc.assert(
      fc.property(anything, (document) => {
        expect(idsOf(fixed(document))).toEqual(idsOf(document));
      }),
      runs,
    );
  });

  it("never adds an error", () => {
    fc.assert(
      fc.property(anything, (document) => {
        const before = validateSpec(document).error_count;
        expect(validateSpec(fixed(document)).error_count).toBeLessThanOrEqual(before);
      }),
      runs,
    );
  });

  it("repairs exactly what validation calls fixable, and its consequences", () => {
    fc.assert(
      fc.property(anything, (document) => {
        const isFixable = validateSpec(document).diagnostics.some((each) => each.auto_fixable);
        const { edits, actions } = fixSpec(document, now);
        expect([edits.length > 0, actions.length > 0]).toEqual([isFixable, isFixable]);
      }),
      runs,
    );
  });

  it("does not mutate the document", () => {
    fc.assert(
      fc.property(anything, (document) => {
        const before = structuredClone(document);
        fixed(document);
        expect(document).toEqual(before);
      }),
    );
  });
});

describe("the fix of a valid spec", () => {
  it("touches nothing", () => {
    fc.assert(
      fc.property(validSpecs, (document) => {
        expect(validateSpec(document).error_count).toBe(0);
        expect(fixSpec(document, now)).toEqual({ edits: [], actions: [], skipped: [] });
      }),
    );
  });
});
