import { isContractError } from "@foundry-mcp/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits, type Edit } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { nodeStatuses, type SpecDocument } from "../spec-document.ts";
import { SpecModel } from "../spec-model.ts";
import { arbitrarySpec } from "../testing/arbitrary-spec.ts";
import { isDoable, nodesOf, problemsOf } from "../testing/recount.ts";
import { context, now } from "../testing/run-change.ts";
import { validateSpec } from "../validate/validate-spec.ts";
import { addJournalEntry } from "./add-journal-entry.ts";
import { addPhase, addPhaseBulk } from "./add-phase.ts";
import { addTask } from "./add-task.ts";
import { applySteps } from "./apply-steps.ts";
import { batchTasks } from "./batch-tasks.ts";
import { blockTask } from "./block-task.ts";
import { addDependency, removeDependency } from "./change-dependency.ts";
import { completeTask } from "./complete-task.ts";
import { findReplace } from "./find-replace.ts";
import { type MovePhaseResult, movePhase } from "./move-phase.ts";
import { type MoveResult, moveTask } from "./move-task.ts";
import { addNote, noteKinds } from "./notes.ts";
import { removePhase } from "./remove-phase.ts";
import { removeTask } from "./remove-task.ts";
import { reopenTask } from "./reopen-task.ts";
import { startTask } from "./start-task.ts";
import { unblockTask } from "./unblock-task.ts";
import { updatePhase, updateTask } from "./update-node.ts";
import { updateSpec } from "./update-spec.ts";
import { updateStatus } from "./update-status.ts";

interface Draw {
  readonly kind: keyof typeof makers;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

type Pick = (number: number) => string;

const makers = {
  start: (pick: Pick, { a }: Draw) => startTask({ task_id: pick(a) }),
  complete: (pick: Pick, { a }: Draw) => completeTask({ task_id: pick(a), note: "Done" }),
  block: (pick: Pick, { a }: Draw) => blockTask({ task_id: pick(a), reason: "No key" }),
  unblock: (pick: Pick, { a, b }: Draw) =>
    unblockTask({ task_id: pick(a), to: b % 2 === 0 ? "pending" : "in_progress" }),
  reopen: (pick: Pick, { a }: Draw) => reopenTask({ task_id: pick(a), reason: "Wrong" }),
  status: (pick: Pick, { a, b }: Draw) =>
    updateStatus({ task_id: pick(a), status: nodeStatuses[b % 4] as (typeof nodeStatuses)[number] }),
  add: (pick: Pick, { a, b, c }: Draw) =>
    addTask({
      parent: pick(a),
      title: "New",
      type: (["task", "subtask", "verify", "research"] as const)[b % 4] ?? "task",
      ...(c % 3 === 0 ? { depends_on: [pick(b), pick(c)] } : {}),
      ...(c % 2 === 0 ? { position: 0 } : {}),
    }),
  remove: (pick: Pick, { a, b }: Draw) => removeTask({ task_id: pick(a), cascade: b % 2 === 0 }),
  move: (pick: Pick, { a, b, c }: Draw) =>
    moveTask({
      task_id: pick(a),
      ...(b % 3 === 0 ? {} : { parent: pick(b) }),
      ...(c % 2 === 0 ? {} : { position: c % 3 }),
    }),
  update: (pick: Pick, { a, b }: Draw) => updateTask({ task_id: pick(a), description: `Text ${b % 3}` }),
  link: (pick: Pick, { a, b }: Draw) => addDependency({ task_id: pick(a), depends_on: pick(b) }),
  unlink: (pick: Pick, { a, b }: Draw) => removeDependency({ task_id: pick(a), depends_on: pick(b) }),
  phase: (_: Pick, { a }: Draw) => addPhase({ title: "Phase", ...(a % 2 === 0 ? { position: 0 } : {}) }),
  bulk: (_: Pick, { a }: Draw) =>
    addPhaseBulk({
      phase: { title: "Phase" },
      tasks: [{ title: "One", children: [{ title: "Below" }] }, ...(a % 2 === 0 ? [{ title: "Two" }] : [])],
    }),
  journal: (pick: Pick, { a }: Draw) => addJournalEntry({ title: "T", content: "C", task_id: pick(a) }),
  batch: (pick: Pick, { a, b, c }: Draw) =>
    batchTasks({
      operations: [
        { op: "complete", task_id: pick(a), plan: completeTask({ task_id: pick(a) }) },
        { op: "start", task_id: pick(b), plan: startTask({ task_id: pick(b) }) },
        { op: "reopen", task_id: pick(a), plan: reopenTask({ task_id: pick(a), reason: "Again" }) },
        { op: "block", task_id: pick(c), plan: blockTask({ task_id: pick(c), reason: "No key" }) },
      ],
    }),
  "update phase": (pick: Pick, { a, b }: Draw) =>
    updatePhase({
      phase_id: pick(a),
      title: `Part ${b % 3}`,
      metadata: { owner: b % 2 === 0 ? "Ann" : null },
    }),
  "move phase": (pick: Pick, { a, b, c }: Draw) =>
    movePhase({
      phase_id: pick(a),
      ...(b % 3 === 0 ? {} : { position: b % 4 }),
      ...(c % 3 === 0 ? {} : { link_previous: c % 2 === 0 }),
    }),
  "remove phase": (pick: Pick, { a, b }: Draw) => removePhase({ phase_id: pick(a), force: b % 2 === 0 }),
  spec: (_: Pick, { a, b }: Draw) =>
    updateSpec({ title: `Spec ${a % 3}`, metadata: { mission: b % 2 === 0 ? null : "M", extra: b % 3 } }),
  note: (_: Pick, { a, b }: Draw) =>
    addNote({ kind: noteKinds[a % 6] ?? "risk", text: `Note ${b % 3}`, version: `${b % 3}.0` }),
  replace: (_: Pick, { a }: Draw) =>
    findReplace({
      scope: a % 2 === 0 ? "all" : "titles",
      replace: (texts) => texts.map(({ text }) => ({ text: text.replace("A ", "An "), count: 1 })),
    }),
  apply: (pick: Pick, { a, b, c }: Draw) =>
    applySteps([
      { op: "add", ref: "x", adds: "task_id", plan: () => addTask({ parent: pick(a), title: "X" }) },
      { op: "add", plan: (idOf) => addTask({ parent: idOf("x", "parent"), title: "Y" }) },
      { op: "remove", plan: () => removeTask({ task_id: pick(b), cascade: true }) },
      { op: "add", plan: () => addTask({ parent: pick(c), title: "Z" }) },
    ]),
} as const;

const draws = fc.array(
  fc.record<Draw>({
    kind: fc.constantFrom(...(Object.keys(makers) as (keyof typeof makers)[])),
    a: fc.nat(),
    b: fc.nat(),
    c: fc.nat(),
  }),
  { maxLength: 25 },
);

/** Returns the errors that validation reports, except errors in the metadata of the spec. */
const faultsOf = (document: SpecDocument) =>
  validateSpec(document).diagnostics.filter(
    ({ severity, category }) => severity === "error" && category !== "metadata",
  );

function attempt(plan: Plan<unknown>, document: SpecDocument, marks: Readonly<Record<string, number>>) {
  try {
    return plan(new SpecModel(document), { ...context, marks });
  } catch (error) {
    if (isContractError(error)) return error;
    throw error;
  }
}

/**
 * Returns the children that each parent has both before and after a change, in the order of each document.
 */
function keptChildren(before: SpecDocument, after: SpecDocument, moved: string | undefined) {
  const [old, fresh] = [nodesOf(before), nodesOf(after)];
  return Object.keys(old)
    .filter((id) => id in fresh)
    .map((id) => {
      const stays = (child: string) =>
        child !== moved && old[id]!.children.includes(child) && fresh[id]!.children.includes(child);
      return [old[id]!.children.filter(stays), fresh[id]!.children.filter(stays)] as const;
    });
}

function valueAt(document: unknown, path: Edit["path"]): unknown {
  return path.reduce<unknown>(
    (place, key) => (place as Record<string, unknown> | undefined)?.[key],
    document,
  );
}

test("any changes of any spec keep it consistent and never reuse an id", () => {
  const seenKinds = new Map<string, number>();
  fc.assert(
    fc.property(arbitrarySpec({ maxNodes: 60 }), draws, (start, steps) => {
      expect(problemsOf(start)).toEqual([]);
      expect(faultsOf(start)).toEqual([]);
      expect(isDoable(start)).toBe(true);
      let document = start;
      let marks: Readonly<Record<string, number>> = {};
      const given = new Set(Object.keys(nodesOf(start)));
      for (const draw of steps) {
        const ids = Object.keys(nodesOf(document));
        const pick: Pick = (number) => ids[number % ids.length] as string;
        const change = attempt(makers[draw.kind](pick, draw) as Plan<unknown>, document, marks);
        if (change instanceof Error) continue;
        seenKinds.set(draw.kind, (seenKinds.get(draw.kind) ?? 0) + 1);
        const after = applyEdits(document, change.edits);
        expect(problemsOf(after)).toEqual([]);
        expect(isDoable(after)).toBe(true);
        const moved = draw.kind.startsWith("move") ? pick(draw.a) : undefined;
        if (draw.kind === "move phase") {
          const { new_position, linked_previous } = change.result as MovePhaseResult;
          expect(nodesOf(after)["spec-root"]?.children[new_position]).toBe(moved);
          if (linked_previous !== null)
            expect(nodesOf(after)[moved!]?.dependencies.blocked_by).toContain(linked_previous);
        } else if (moved !== undefined) {
          const { new_parent, new_position } = change.result as MoveResult;
          expect(nodesOf(after)[new_parent]?.children[new_position]).toBe(moved);
        }
        for (const [old, fresh] of keptChildren(document, after, moved)) expect(fresh).toEqual(old);
        const added = Object.keys(nodesOf(after)).filter((id) => !(id in nodesOf(document)));
        for (const id of added) expect(given.has(id)).toBe(false);
        for (const id of added) given.add(id);
        if (change.edits.length === 0) expect(change.warnings).toBeDefined();
        else expect(after["last_updated"]).toBe(now);
        document = after;
        marks = { ...marks, ...change.marks };
      }
      expect(faultsOf(document)).toEqual([]);
    }),
    { numRuns: 300 },
  );
  // A kind of change that never succeeds in this test would not be tested.
  expect([...seenKinds.keys()].sort()).toEqual(Object.keys(makers).sort());
});

test("a change writes only what changes a value", () => {
  fc.assert(
    fc.property(arbitrarySpec({ maxNodes: 40 }), draws, (document, steps) => {
      const ids = Object.keys(nodesOf(document));
      const pick: Pick = (number) => ids[number % ids.length] as string;
      for (const draw of steps.filter(({ kind }) => kind !== "batch" && kind !== "apply")) {
        const change = attempt(makers[draw.kind](pick, draw) as Plan<unknown>, document, {});
        if (change instanceof Error) continue;
        let current = document;
        for (const edit of change.edits) {
          if (edit.op === "set") expect(valueAt(current, edit.path)).not.toEqual(edit.value);
          if (edit.op === "remove") expect(valueAt(current, edit.path)).toBeDefined();
          current = applyEdits(current, [edit]);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test("a dependency is refused exactly if the work could not be completed with it", () => {
  fc.assert(
    fc.property(arbitrarySpec({ maxNodes: 30 }), fc.nat(), fc.nat(), (document, a, b) => {
      const ids = Object.keys(nodesOf(document)).filter((id) => id !== "spec-root");
      const [task_id, depends_on] = [ids[a % ids.length] as string, ids[b % ids.length] as string];
      const change = attempt(addDependency({ task_id, depends_on }) as Plan<unknown>, document, {});
      const linked = structuredClone(document);
      nodesOf(linked)[task_id]!.dependencies.blocked_by.push(depends_on);
      if (!isDoable(linked)) expect(change).toMatchObject({ code: "CIRCULAR_DEPENDENCY" });
      else expect(change).not.toBeInstanceOf(Error);
    }),
    { numRuns: 500 },
  );
});
