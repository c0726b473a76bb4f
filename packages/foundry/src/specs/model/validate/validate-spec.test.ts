import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../files/json-text/edit.ts";
import { brokenSpecs } from "./testing/spec-arbitraries.ts";
import { toLines } from "./testing/to-lines.ts";
import { breakSpec, validSpec } from "./testing/valid-spec.ts";
import { validateSpec, validateText } from "./validate-spec.ts";

const task = "hierarchy.task-1-1";

describe("validateSpec", () => {
  it("finds nothing in a valid spec", () => {
    const nothing = { is_valid: true, error_count: 0, warning_count: 0, info_count: 0, diagnostics: [] };
    expect(validateSpec(validSpec, { strictMetadata: true })).toEqual(nothing);
    expect(validateText(`\uFEFF${JSON.stringify(validSpec)}`)).toEqual(nothing);
  });

  it("lists a thousand diagnostics of each code, and counts all of them", () => {
    const missing = Array.from({ length: 1_500 }, (_, index) => `x-${index}`);
    const children = ["task-1-1", "task-1-2", "verify-1-1", ...missing];
    const { diagnostics, ...counts } = validateSpec(
      breakSpec({ "hierarchy.phase-1.children": children, "metadata.constraints": [] }),
    );
    expect(counts).toEqual({
      ...{ is_valid: false, error_count: 1_500, warning_count: 1, info_count: 0, unlisted_count: 500 },
    });
    const codes = diagnostics.map(({ code }) => code);
    expect(codes.toSorted()).toEqual(["EMPTY_CONSTRAINTS", ...Array(1_000).fill("MISSING_CHILD")]);
    const last = diagnostics.findLast(({ code }) => code === "MISSING_CHILD");
    expect(last?.path).toBe("$.hierarchy.phase-1.children[1002]");
  });

  it("reports authoring rules as errors in strict mode, for completed tasks too", () => {
    const spec = breakSpec({
      "metadata.mission": undefined,
      [task]: { ...{ type: "task", title: "T", status: "completed", parent: "phase-1", children: [] } },
    });
    const codesOf = (strictMetadata: boolean) =>
      validateSpec(spec, { strictMetadata })
        .diagnostics.filter(({ category }) => category === "metadata")
        .map(({ code, severity }) => `${severity} ${code}`);
    expect(codesOf(false)).toEqual(["warning MISSING_MISSION"]);
    expect(codesOf(true)).toEqual([
      "error MISSING_MISSION",
      "error MISSING_TASK_CATEGORY",
      "error MISSING_TASK_DESCRIPTION",
      "error MISSING_ACCEPTANCE_CRITERIA",
      "warning MISSING_COMPLEXITY",
    ]);
  });

  it("finds deadlocks through parents", () => {
    const spec = breakSpec({
      "hierarchy.phase-1.dependencies.blocked_by": ["task-1-1"],
      [`${task}.dependencies.blocks`]: ["task-1-2", "phase-1"],
    });
    expect(validateSpec(spec).diagnostics.flatMap(toLines)).toEqual([
      "error dependency DEPENDENCY_CYCLE at $.hierarchy.phase-1.dependencies of phase-1: " +
        "Dependencies of nodes, their parents and their children form a cycle: phase-1 → task-1-1 → phase-1",
      "  Remove one of these dependencies.",
    ]);
    const done = applyEdits(spec, [
      { op: "set", path: ["hierarchy", "task-1-1", "status"], value: "completed" },
      { op: "set", path: ["hierarchy", "task-1-1", "completed_tasks"], value: 1 },
      { op: "set", path: ["hierarchy", "phase-1", "completed_tasks"], value: 1 },
      { op: "set", path: ["hierarchy", "spec-root", "completed_tasks"], value: 1 },
    ]);
    expect(validateSpec(done).diagnostics).toEqual([]);
  });

  it("resolves synonyms of node types", () => {
    const spec = breakSpec({
      "hierarchy.verify-1-1.type": "Verification",
      "hierarchy.verify-1-1.metadata": {},
    });
    expect(validateSpec(spec).diagnostics.map(({ code }) => code)).toEqual([
      "INVALID_NODE_TYPE",
      "MISSING_VERIFICATION_TYPE",
    ]);
  });

  it("reads the root of an archived spec", () => {
    expect(validateSpec(breakSpec({ "hierarchy.spec-root.status": "archived" })).diagnostics).toEqual([]);
  });

  it("survives values that refer to themselves", () => {
    const spec: Record<string, unknown> = { ...validSpec };
    spec["self"] = spec;
    spec["pair"] = { one: spec, two: [spec, validSpec["hierarchy"]] };
    expect(validateSpec(spec).diagnostics).toEqual([]);
  });

  it("never throws, whatever it is given", () => {
    const anything = fc.oneof(fc.jsonValue(), brokenSpecs, fc.record({ hierarchy: fc.jsonValue() }));
    fc.assert(
      fc.property(anything, fc.boolean(), (value, strictMetadata) => {
        const { error_count, warning_count, info_count, diagnostics, is_valid } = validateSpec(value, {
          strictMetadata,
        });
        expect(error_count + warning_count + info_count).toBe(diagnostics.length);
        expect(is_valid).toBe(error_count === 0);
      }),
      { numRuns: 1000 },
    );
  });

  it("goes through 20,000 levels of nodes and of values", () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `task-${index}`);
    const hierarchy = Object.fromEntries(
      ids.map((id, index) => [
        id,
        { children: [`task-${index + 1}`], dependencies: { blocked_by: [`task-${index + 1}`] } },
      ]),
    );
    const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
    const { diagnostics } = validateSpec({
      hierarchy: { "spec-root": { children: ["task-0"] }, ...hierarchy },
      deep,
    });
    expect(diagnostics.filter(({ code }) => code === "EXCESSIVE_NESTING").length).toBe(1);
    expect(diagnostics.filter(({ code }) => code === "MISSING_CHILD").length).toBe(1);
  });
});

describe("files of other programs", () => {
  const folder = new URL("../../../../../../test/fixtures/specs/", import.meta.url);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );
  const read = (name: string) => readFileSync(new URL(name, folder), "utf8");
  const table = (isStrict: boolean) =>
    Object.fromEntries(
      names.sort().map((name) => {
        const { error_count, warning_count } = validateText(read(name), { strictMetadata: isStrict });
        return [name, [error_count, warning_count]];
      }),
    );

  it("are valid", () => {
    expect(table(false)).toEqual({
      "archived/validate-fix-auto-cleanup-2025-12-15-001.json": [0, 10],
      "completed/actual-hours-auto-calculation-2026-01-06-001.json": [0, 2],
      "completed/foundry-mcp-2025-01-25-001.json": [0, 14],
      "completed/notes-intake-2025-12-28-001.json": [0, 2],
      "completed/response-schema-standardization-2025-11-26-001.json": [0, 11],
      "completed/sdd-core-operations-2025-11-27-001.json": [0, 14],
      "pending/mcp-server-resilience-2026-01-24-001.json": [0, 2],
    });
  });

  it("are mostly invalid with strict metadata", () => {
    expect(table(true)).toEqual({
      "archived/validate-fix-auto-cleanup-2025-12-15-001.json": [6, 4],
      "completed/actual-hours-auto-calculation-2026-01-06-001.json": [0, 7],
      "completed/foundry-mcp-2025-01-25-001.json": [59, 40],
      "completed/notes-intake-2025-12-28-001.json": [0, 18],
      "completed/response-schema-standardization-2025-11-26-001.json": [38, 19],
      "completed/sdd-core-operations-2025-11-27-001.json": [60, 26],
      "pending/mcp-server-resilience-2026-01-24-001.json": [44, 40],
    });
  });
});
