import { describe, expect, test } from "vitest";
import type { SpecDocument } from "../spec-document.ts";
import { specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf, type PlainNode, problemsOf } from "../testing/recount.ts";
import { failureOf, now, runChange } from "../testing/run-change.ts";
import { addPhase } from "./add-phase.ts";
import { movePhase } from "./move-phase.ts";
import { removePhase } from "./remove-phase.ts";
import { updatePhase } from "./update-node.ts";

const spec_id = "made-up-2026-01-01-001";

const chain = () =>
  specOf(
    "phase-1",
    "phase-1/task-1-1 completed",
    "phase-2 < phase-1",
    "phase-2/task-2-1",
    "phase-2/task-2-2 < task-2-1",
    "phase-3 < phase-2",
    "phase-3/task-3-1",
  );
const loose = () => specOf("phase-1", "phase-2", "phase-3", "phase-2/task-2-1");
const half = () => specOf("phase-1", "phase-2", "phase-3 < phase-1");

/** Returns the phases in their order, each with the phases for which it waits, such as `1 2<1 3<2`. */
const orderOf = (document: SpecDocument) => {
  const short = (id: string) => id.replace("phase-", "");
  const nodes = nodesOf(document);
  return (nodes["spec-root"] as PlainNode).children
    .map((id) => [id, ...(nodes[id] as PlainNode).dependencies.blocked_by].map(short).join("<"))
    .join(" ");
};

describe("movePhase", () => {
  test.each([
    ["to the front of a chain", chain, { phase_id: "phase-2", position: 0 }, "2 1<2 3<1"],
    ["to the end of a chain", chain, { phase_id: "phase-1" }, "2 3<2 1<3"],
    ["within a chain", chain, { phase_id: "phase-3", position: 1 }, "1 3<1 2<3"],
    ["without its links", chain, { phase_id: "phase-3", position: 0, link_previous: false }, "3<2 1 2<1"],
    ["where nothing waits", loose, { phase_id: "phase-3", position: 0 }, "3 1 2"],
    ["and linked", loose, { phase_id: "phase-3", position: 1, link_previous: true }, "1 3<1 2"],
    ["and linked to the front", loose, { phase_id: "phase-3", position: 0, link_previous: true }, "3 1 2"],
    ["between two that wait", half, { phase_id: "phase-2", position: 1, link_previous: true }, "1 2<1 3<2"],
  ])("%s", (_, spec, input, order) => {
    const { document } = runChange(spec(), movePhase(input));
    expect(orderOf(document)).toBe(order);
    expect(problemsOf(document)).toEqual([]);
  });

  test("reports the move and changes nothing else", () => {
    const { document, result } = runChange(chain(), movePhase({ phase_id: "phase-3", position: 1 }));
    expect(result).toEqual({
      spec_id,
      phase_id: "phase-3",
      title: "A phase",
      old_position: 2,
      new_position: 1,
      linked_previous: "phase-1",
      dependencies_updated: [
        { phase_id: "phase-3", depends_on: "phase-2", change: "removed" },
        { phase_id: "phase-2", depends_on: "phase-1", change: "removed" },
        { phase_id: "phase-2", depends_on: "phase-3", change: "added" },
        { phase_id: "phase-3", depends_on: "phase-1", change: "added" },
      ],
    });
    const expected = structuredClone(chain()) as Record<string, unknown>;
    const nodes = nodesOf(expected);
    nodes["spec-root"]!.children = ["phase-1", "phase-3", "phase-2"];
    nodes["phase-1"]!.dependencies.blocks = ["phase-3"];
    nodes["phase-2"]!.dependencies = { blocks: [], blocked_by: ["phase-3"], depends: [] };
    nodes["phase-3"]!.dependencies = { blocks: ["phase-2"], blocked_by: ["phase-1"], depends: [] };
    expected["current_phase"] = "phase-3";
    expected["last_updated"] = now;
    expect(document).toEqual(expected);
  });

  test("changes nothing if the position is the same", () => {
    expect(runChange(chain(), movePhase({ phase_id: "phase-2", position: 1 }))).toMatchObject({
      edits: [],
      result: { linked_previous: "phase-1", dependencies_updated: [] },
      warnings: ["phase-2 is at position 1 already; nothing was changed"],
    });
  });

  test("keeps a link that it would remove and add again", () => {
    const document = specOf("phase-1", "phase-2 < phase-1", "phase-3 < phase-2 < phase-1");
    expect(runChange(document, movePhase({ phase_id: "phase-2", position: 1 })).edits).toEqual([]);
    const moved = runChange(document, movePhase({ phase_id: "phase-2" })).document;
    expect(orderOf(moved)).toBe("1 3<1 2<3");
    expect(problemsOf(moved)).toEqual([]);
  });

  test("refuses to move a phase before its blockers, unless links stay unchanged", () => {
    const document = specOf(
      "phase-1",
      "phase-1/task-1-1",
      "phase-2 < phase-1",
      "phase-2/task-2-1 < task-1-1",
    );
    expect(failureOf(document, movePhase({ phase_id: "phase-2", position: 0 }))).toMatchObject({
      code: "CIRCULAR_DEPENDENCY",
      message:
        "Cannot let phase-1 wait for phase-2: that would close the cycle phase-1 → phase-2 → task-2-1 → task-1-1 → phase-1",
      remediation: expect.stringContaining("link_previous: false"),
    });
    const { document: moved } = runChange(
      document,
      movePhase({ phase_id: "phase-2", position: 0, link_previous: false }),
    );
    expect(orderOf(moved)).toBe("2<1 1");
  });

  test.each([
    ["an unknown one", { phase_id: "phase-9" }, "PHASE_NOT_FOUND"],
    ["a task", { phase_id: "task-1-1" }, "VALIDATION_ERROR"],
    ["the root", { phase_id: "spec-root" }, "VALIDATION_ERROR"],
    ["beyond the end", { phase_id: "phase-1", position: 3 }, "VALIDATION_ERROR"],
    ["to half a place", { phase_id: "phase-1", position: 0.5 }, "VALIDATION_ERROR"],
  ])("%s is refused", (_, input, code) => {
    expect(failureOf(chain(), movePhase(input)).code).toBe(code);
  });
});

describe("removePhase", () => {
  test("removes the phase with its tasks and links its neighbours", () => {
    const { document, result, marks } = runChange(chain(), removePhase({ phase_id: "phase-2", force: true }));
    expect(result).toEqual({
      spec_id,
      phase_id: "phase-2",
      title: "A phase",
      children_removed: 2,
      total_tasks_removed: 2,
      completed_tasks_removed: 0,
      removed: ["phase-2", "task-2-1", "task-2-2"],
      dependencies_removed: 2,
      relinked: { phase_id: "phase-3", depends_on: "phase-1" },
      progress: { completed: 1, total: 2, percentage: 50 },
    });
    expect(marks).toEqual({ phase: 2, "task-2": 2 });
    const expected = {
      ...specOf("phase-1", "phase-1/task-1-1 completed", "phase-3 < phase-1", "phase-3/task-3-1"),
      last_updated: now,
    };
    expect(document).toEqual(expected);
    const again = runChange(document, addPhase({ title: "New" }), { marks: { phase: 3, ...marks } });
    expect(again.result.phase_id).toBe("phase-4");
  });

  test("does not lower the highest number", () => {
    const { marks } = runChange(chain(), removePhase({ phase_id: "phase-2", force: true }), {
      marks: { phase: 7 },
    });
    expect(marks).toEqual({ phase: 7, "task-2": 2 });
  });

  test("adds no link where there was none", () => {
    const { document, result } = runChange(half(), removePhase({ phase_id: "phase-1" }));
    expect(result).toMatchObject({ relinked: null, dependencies_removed: 1 });
    expect(orderOf(document)).toBe("2 3");
  });

  test("needs force if tasks in it are open", () => {
    expect(failureOf(chain(), removePhase({ phase_id: "phase-2" }))).toEqual({
      code: "INVALID_STATE",
      message: "Cannot remove phase-2: 2 of the tasks in it are not done: task-2-1, task-2-2",
      remediation:
        'Remove them too: authoring(action="phase-remove", spec_id="made-up-2026-01-01-001", phase_id="phase-2", force=true, confirm=true); or move them elsewhere first: task(action="move", spec_id="made-up-2026-01-01-001", task_id="task-2-1", parent=…).',
      details: {
        phase_id: "phase-2",
        open_count: 2,
        open: [
          { task_id: "task-2-1", status: "pending" },
          { task_id: "task-2-2", status: "pending" },
        ],
      },
    });
    expect(runChange(chain(), removePhase({ phase_id: "phase-1" })).result.completed_tasks_removed).toBe(1);
    expect(failureOf(chain(), removePhase({ phase_id: "task-1-1" }))).toMatchObject({
      code: "VALIDATION_ERROR",
      message: 'Cannot remove "task-1-1": it is a task, not a phase',
      remediation:
        'Give the id of a phase, such as phase-1, phase-2, phase-3; task(action="hierarchy", spec_id="made-up-2026-01-01-001") shows all.',
    });
  });
});

describe("updatePhase", () => {
  test("sets the fields and reports the previous values", () => {
    const { document, result } = runChange(
      chain(),
      updatePhase({
        phase_id: "phase-1",
        title: "Better",
        purpose: "P",
        estimated_hours: 2,
        metadata: { owner: "Ann", risk_level: "low", completed_at: null },
      }),
    );
    expect(result).toEqual({
      spec_id,
      phase_id: "phase-1",
      fields_updated: [
        "title",
        "purpose",
        "estimated_hours",
        "metadata.owner",
        "metadata.risk_level",
        "metadata.completed_at",
      ],
      previous_values: {
        title: "A phase",
        purpose: null,
        estimated_hours: null,
        "metadata.owner": null,
        "metadata.risk_level": null,
        "metadata.completed_at": "2025-12-31T00:00:00Z",
      },
    });
    expect(nodesOf(document)["phase-1"]).toEqual({
      ...nodesOf(chain())["phase-1"],
      title: "Better",
      metadata: { purpose: "P", estimated_hours: 2, owner: "Ann", risk_level: "low" },
    });
  });

  test.each([
    ["nothing", { phase_id: "phase-1" }, "MISSING_REQUIRED"],
    ["a task", { phase_id: "task-1-1", title: "T" }, "VALIDATION_ERROR"],
    ["an empty title", { phase_id: "phase-1", title: " " }, "VALIDATION_ERROR"],
    ["too long a purpose", { phase_id: "phase-1", purpose: "x".repeat(20_001) }, "CONTENT_TOO_LARGE"],
    ["hours below zero", { phase_id: "phase-1", estimated_hours: -1 }, "VALIDATION_ERROR"],
  ])("%s is refused", (_, input, code) => {
    expect(failureOf(chain(), updatePhase(input)).code).toBe(code);
  });

  test("changes nothing if the values are equal", () => {
    expect(runChange(chain(), updatePhase({ phase_id: "phase-1", title: "A phase" }))).toMatchObject({
      edits: [],
      warnings: ["phase-1 has these values already; nothing was changed"],
    });
  });
});
