import { expect, test } from "vitest";
import { nodesOf, problemsOf } from "../testing/recount.ts";
import { context, now } from "../testing/run-change.ts";
import { createSpec, newSpecId, toSlug } from "./create-spec.ts";

test("a new spec has the members of files, in their order", () => {
  const { document, marks } = createSpec("a-2026-01-02-001", { title: "A" }, context);
  expect(JSON.stringify(document)).toBe(
    JSON.stringify({
      spec_id: "a-2026-01-02-001",
      title: "A",
      generated: now,
      last_updated: now,
      metadata: {
        description: "",
        mission: "",
        objectives: [],
        complexity: "low",
        estimated_hours: 0,
        assumptions: [],
        owner: "",
        category: "implementation",
        template: "empty",
      },
      progress_percentage: 0,
      status: "pending",
      current_phase: null,
      hierarchy: {
        "spec-root": {
          type: "spec",
          title: "A",
          status: "pending",
          parent: null,
          children: [],
          total_tasks: 0,
          completed_tasks: 0,
          metadata: { purpose: "", category: "implementation" },
          dependencies: { blocks: [], blocked_by: [], depends: [] },
        },
      },
      journal: [],
    }),
  );
  expect(marks).toEqual({});
});

test("a new verify node has a type, as validate requires", () => {
  const tasks = [
    { title: "Test", type: "verify" as const },
    { title: "Read", type: "verify" as const, verification_type: "manual" },
    { title: "Review", type: "verify" as const, metadata: { verification_type: "fidelity" } },
    { title: "Work" },
  ];
  const { document } = createSpec(
    "a-2026-01-02-001",
    { title: "A", phases: [{ title: "One", tasks }] },
    context,
  );
  const types = Object.values(nodesOf(document)).map(({ metadata }) => metadata["verification_type"]);
  expect(types).toEqual([undefined, undefined, "run-tests", "manual", "fidelity", undefined]);
});

test("a new spec may have phases with tasks, each waiting for the one before it", () => {
  const { document, marks } = createSpec(
    "a-2026-01-02-001",
    {
      title: "A",
      description: "D",
      mission: "M",
      category: "decision",
      owner: "Ann",
      phases: [{ title: "One", tasks: [{ title: "T", children: [{ title: "S" }] }] }, { title: "Two" }],
    },
    context,
  );
  expect(problemsOf(document)).toEqual([]);
  expect(document).toMatchObject({
    metadata: { description: "D", mission: "M", category: "decision", owner: "Ann" },
    current_phase: "phase-1",
  });
  expect(Object.keys(nodesOf(document))).toEqual([
    "spec-root",
    "phase-1",
    "task-1-1",
    "task-1-1-1",
    "phase-2",
  ]);
  expect(nodesOf(document)["phase-2"]?.dependencies.blocked_by).toEqual(["phase-1"]);
  expect(marks).toEqual({ phase: 2, "task-1": 1, "task-1-1": 1 });
});

test.each([
  ["Add OAuth 2.1 support!", "add-oauth-2-1-support"],
  ["Größe – Ätzend", "gro-e-atzend"],
  ["  --  ", "spec"],
  ["日本語", "spec"],
  ["ﬁne ①", "fine-1"],
  [`${"x".repeat(59)} y`, "x".repeat(59)],
  ["x".repeat(70), "x".repeat(60)],
])("the slug of %j is %j", (title, slug) => {
  expect(toSlug(title)).toBe(slug);
});

test("the number counts up until an id is free", () => {
  const taken = new Set(["a-2026-01-02-001", "a-2026-01-02-002"]);
  expect(newSpecId("A", "2026-01-02T12:00:00Z", (id) => taken.has(id))).toBe("a-2026-01-02-003");
  expect(newSpecId("A", "2026-01-02", () => false)).toBe("a-2026-01-02-001");
  let tries = 0;
  expect(newSpecId("A", "2026-01-02", () => ++tries < 1000)).toBe("a-2026-01-02-1000");
});
