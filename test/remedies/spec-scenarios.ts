import { readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Remedy } from "@foundry-mcp/contract";
import { type SpecShape, specOf } from "../specs/workspace.ts";
import type { Scenario, ScenarioState } from "./scenario.ts";

const spec_id = "s";
const withSpec =
  (shape?: SpecShape) =>
  async ({ workspace }: ScenarioState): Promise<void> => {
    await workspace.write(`active/${spec_id}.json`, specOf(spec_id, shape));
  };
const call = (tool: string, action: string, args: object = {}) => ({
  tool,
  args: { action, spec_id, ...args },
});
const remedy = (tool: string, action: string, args: object = {}): Remedy => ({
  tool,
  action,
  arguments: { spec_id, ...args },
});
const task = (task_id: string) => ({ task_id });
const heldBy = (holder: string, task_id = "task-1-1") => call("task", "claim", { task_id, holder }).args;
/** Creates a spec whose second phase depends on the first. */
const twoPhases = async ({ workspace }: ScenarioState): Promise<void> => {
  const document = specOf(spec_id, { phases: 2, tasks: 1 });
  const { "phase-1": one = {}, "phase-2": two = {} } = document.hierarchy as Readonly<Record<string, object>>;
  const none = { blocks: [], blocked_by: [], depends: [] };
  Object.assign(one, { dependencies: { ...none, blocks: ["phase-2"] } });
  Object.assign(two, { dependencies: { ...none, blocked_by: ["phase-1"] } });
  await workspace.write(`active/${spec_id}.json`, document);
};
const withVerify = async (state: ScenarioState, metadata: object = {}): Promise<void> => {
  await withSpec()(state);
  await state.must("task", {
    ...call("task", "add", { parent: "phase-1", title: "Check it", type: "verify" }).args,
    metadata,
  });
};
const verify_id = "verify-1-1";
const addPhase: Remedy = { ...remedy("authoring", "phase-add"), needs: ["title"] } as Remedy;
const long = call("spec", "get", { max_tokens: 1_000 });
const lists = { query: remedy("task", "query"), hierarchy: remedy("task", "hierarchy") };

/** Creates a research run with a completed report. */
const withResearch = async (state: ScenarioState): Promise<Readonly<Record<string, string>>> => {
  await withSpec()(state);
  await writeFile(join(state.workspace.folder, "note.md"), "# Notes\n\nWater boils at 100 degrees.\n");
  const { data } = await state.must("research", {
    action: "start",
    question: "When does water boil?",
    paths: ["note.md"],
  });
  return { research_id: String(data["research_id"]) };
};
const research = (action: string, research_id: string | undefined): Remedy => ({
  tool: "research",
  action,
  arguments: { research_id },
});

const wait = (args: object = {}): Remedy => remedy("task", "wait", args);
const next = call("task", "next");

/** Scenarios of searches that find no task. */
const noTaskScenarios: readonly Scenario[] = [
  {
    name: "a task that somebody holds",
    setUp: async (state) => {
      await withSpec({ tasks: 1 })(state);
      await state.must("task", heldBy("ann"));
    },
    call: next,
    remedies: [wait()],
  },
  {
    name: "a task that is blocked",
    setUp: async (state) => {
      await withSpec({ tasks: 1 })(state);
      await state.must("task", call("task", "block", { ...task("task-1-1"), reason: "A wall" }).args);
    },
    call: next,
    remedies: [{ ...remedy("task", "unblock", task("task-1-1")), needs: ["note"] } as Remedy, wait()],
    inputs: { note: "Gone" },
  },
  {
    name: "tasks that wait for each other",
    setUp: withSpec({ tasks: 2, blockedBy: { "task-1-1": ["task-1-2"], "task-1-2": ["task-1-1"] } }),
    call: next,
    remedies: [remedy("spec", "analyze-deps"), wait()],
  },
  {
    name: "a task that waits for research",
    setUp: async (state) => {
      await withSpec({ tasks: 1 })(state);
      const add = { parent: "phase-1", title: "Find out", type: "research" };
      await state.must("task", call("task", "add", add).args);
      const link = { task_id: "task-1-1", target_id: "research-1-1" };
      await state.must("task", call("task", "add-dependency", link).args);
    },
    call: next,
    remedies: [remedy("task", "prepare", task("research-1-1")), wait()],
  },
  {
    name: "tasks that the filter does not select",
    setUp: withSpec(),
    call: call("task", "next", { owner: "ada" }),
    remedies: [remedy("task", "next"), wait({ owner: "ada" })],
  },
  {
    name: "a spec that is done",
    setUp: withSpec({ tasks: 1, completed: ["task-1-1"] }),
    call: next,
    remedies: [remedy("lifecycle", "complete")],
  },
  {
    name: "a spec whose phase has no tasks",
    setUp: withSpec({ tasks: 0 }),
    call: next,
    remedies: [{ ...remedy("task", "add", { parent: "phase-1" }), needs: ["title"] } as Remedy],
    inputs: { title: "New" },
  },
  {
    name: "a spec without phases",
    setUp: withSpec({ phases: 0 }),
    call: next,
    remedies: [addPhase],
    inputs: { title: "New" },
  },
  {
    name: "a workspace without specs",
    call: { tool: "task", args: { action: "next" } },
    remedies: [{ tool: "authoring", action: "spec-create", needs: ["name"] }],
    inputs: { name: "New" },
  },
  {
    name: "a workspace without an active spec",
    setUp: async ({ workspace }) => {
      await workspace.write(`pending/${spec_id}.json`, specOf(spec_id));
    },
    call: { tool: "task", args: { action: "next" } },
    remedies: [remedy("lifecycle", "activate")],
  },
  {
    name: "a wait for a change of no spec",
    call: { tool: "task", args: { action: "wait", for: "change" } },
    code: "MISSING_REQUIRED",
    remedies: [{ tool: "spec", action: "list" }],
  },
  {
    name: "work that was found during a task that does not exist",
    setUp: withSpec(),
    call: call("task", "add", { parent: "phase-1", title: "Found", discovered_from: "task-9-9" }),
    code: "VALIDATION_ERROR",
    remedies: [lists.query],
  },
];

/** Calls about specs in the trash, and changes that cannot be undone. */
const takenBackScenarios: readonly Scenario[] = [
  {
    name: "a read of a spec in the trash",
    setUp: async (state) => {
      await withSpec()(state);
      await state.must("spec", call("spec", "delete", { confirm: true }).args);
    },
    call: call("spec", "get"),
    code: "SPEC_NOT_FOUND",
    remedies: [remedy("spec", "restore")],
  },
  {
    name: "a restore of a spec that was not deleted",
    setUp: withSpec(),
    call: call("spec", "restore"),
    code: "INVALID_STATE",
    remedies: [remedy("spec", "get")],
  },
  {
    name: "a deletion of a spec that somebody works on",
    setUp: async (state) => {
      await withSpec()(state);
      await state.must("task", heldBy("ada"));
    },
    call: call("spec", "delete", { confirm: true }),
    code: "CONFLICT",
    remedies: [wait({ for: "change" })],
  },
  {
    name: "an undo of a spec of which nothing is kept",
    setUp: withSpec(),
    call: call("spec", "undo"),
    code: "INVALID_STATE",
    remedies: [remedy("spec", "history")],
  },
  {
    name: "an undo of what an editor changed",
    setUp: async (state) => {
      await withSpec()(state);
      const { data } = await state.must("task", call("task", "start", task("task-1-1")).args);
      const file = join(state.workspace.specs, `active/${spec_id}.json`);
      await writeFile(file, (await readFile(file, "utf8")).replace("Do task-1-2", "Edited"));
      return { revision: String(data["revision"]) };
    },
    call: call("spec", "undo"),
    code: "CONFLICT",
    remedies: ({ revision }) => [
      remedy("spec", "diff"),
      remedy("spec", "rollback", { to_revision: revision, confirm: true }),
    ],
  },
  {
    name: "an undo of a restore",
    setUp: async (state) => {
      await withSpec()(state);
      await state.must("spec", call("spec", "delete", { confirm: true }).args);
      await state.must("spec", call("spec", "restore").args);
    },
    call: call("spec", "undo"),
    code: "INVALID_STATE",
    remedies: [remedy("spec", "delete", { confirm: true })],
  },
];

/** Failures of work on specs. */
export const specScenarios: readonly Scenario[] = [
  ...takenBackScenarios,
  ...noTaskScenarios,
  {
    name: "a spec that does not exist",
    call: call("spec", "get"),
    code: "SPEC_NOT_FOUND",
    remedies: [{ tool: "spec", action: "list" }],
  },
  {
    name: "an id that no spec can have",
    call: call("spec", "get", { spec_id: "My Spec" }),
    code: "VALIDATION_ERROR",
    remedies: [{ tool: "spec", action: "list" }],
  },
  {
    name: "the title of a spec",
    setUp: withSpec({ title: "Tide tables" }),
    call: call("spec", "get", { spec_id: "Tide tables" }),
    code: "VALIDATION_ERROR",
    remedies: [remedy("spec", "get"), { tool: "spec", action: "list" }],
  },
  {
    name: "the title of a spec in a call with a text",
    setUp: withSpec({ title: "Tide tables" }),
    call: call("journal", "add", { spec_id: "Tide tables", title: "T", content: "Read (twice)" }),
    code: "VALIDATION_ERROR",
    remedies: [
      { ...remedy("journal", "add", { title: "T" }), needs: ["content"] },
      { tool: "spec", action: "list" },
    ],
    inputs: { content: "Read (twice)" },
    needsChoice: true,
  },
  {
    name: "the title of a task",
    setUp: withSpec(),
    call: call("task", "start", task("Do task-1-1")),
    code: "VALIDATION_ERROR",
    remedies: [remedy("task", "start", task("task-1-1")), lists.hierarchy],
    needsChoice: true,
  },
  {
    name: "the title of a task in a call with a text",
    setUp: withSpec(),
    call: call("task", "complete", { task_id: "Do task-1-1", note: "Read (twice)" }),
    code: "VALIDATION_ERROR",
    remedies: [{ ...remedy("task", "complete", task("task-1-1")), needs: ["note"] }, lists.hierarchy],
    inputs: { note: "Read (twice)" },
    needsChoice: true,
  },
  {
    name: "the numbers of a task",
    setUp: withSpec(),
    call: call("task", "start", task("1-1")),
    code: "VALIDATION_ERROR",
    remedies: [lists.hierarchy],
    needsChoice: true,
  },
  {
    name: "a part of the titles of tasks",
    setUp: withSpec(),
    call: call("task", "start", task("do task")),
    code: "VALIDATION_ERROR",
    remedies: [lists.hierarchy],
    needsChoice: true,
  },
  {
    name: "an id that is nearly right",
    setUp: async ({ workspace }) => {
      await workspace.write("active/tide-tables.json", specOf("tide-tables"));
    },
    call: call("spec", "get", { spec_id: "tide-table" }),
    code: "SPEC_NOT_FOUND",
    remedies: [{ tool: "spec", action: "list" }],
  },
  {
    name: "a task that does not exist",
    setUp: withSpec(),
    call: call("task", "info", task("task-9-9")),
    code: "TASK_NOT_FOUND",
    remedies: [lists.query],
  },
  {
    name: "a phase that does not exist",
    setUp: withSpec(),
    call: call("authoring", "phase-update", { phase_id: "phase-9", title: "x" }),
    code: "PHASE_NOT_FOUND",
    remedies: [lists.hierarchy],
  },
  {
    name: "work on a phase",
    setUp: withSpec(),
    call: call("task", "start", task("phase-1")),
    code: "VALIDATION_ERROR",
    remedies: [lists.query],
  },
  {
    name: "work on a phase without tasks",
    setUp: withSpec({ tasks: 0 }),
    call: call("task", "start", task("phase-1")),
    code: "VALIDATION_ERROR",
    remedies: [{ ...remedy("task", "add", { parent: "phase-1" }), needs: ["title"] } as Remedy],
    inputs: { title: "New" },
    needsChoice: true,
  },
  {
    name: "a change of a task as if it were a phase",
    setUp: withSpec(),
    call: call("authoring", "phase-update", { phase_id: "task-1-1", title: "x" }),
    code: "VALIDATION_ERROR",
    remedies: [lists.hierarchy],
  },
  {
    name: "a phase of a spec without phases",
    setUp: withSpec({ phases: 0 }),
    call: call("authoring", "phase-update", { phase_id: "spec-root", title: "x" }),
    code: "VALIDATION_ERROR",
    remedies: [addPhase],
    inputs: { title: "New" },
    needsChoice: true,
  },
  {
    name: "a task below the root",
    setUp: withSpec(),
    call: call("task", "add", { parent: "spec-root", title: "x" }),
    code: "VALIDATION_ERROR",
    remedies: [lists.hierarchy],
  },
  {
    name: "a task below the root of a spec without phases",
    setUp: withSpec({ phases: 0 }),
    call: call("task", "add", { parent: "spec-root", title: "x" }),
    code: "VALIDATION_ERROR",
    remedies: [addPhase],
    inputs: { title: "New" },
    needsChoice: true,
  },
  {
    name: "a start of a task with subtasks",
    setUp: async (state) => {
      await withSpec()(state);
      await state.must(
        "task",
        call("task", "add", { parent: "task-1-1", title: "Part", type: "subtask" }).args,
      );
    },
    call: call("task", "start", task("task-1-1")),
    code: "INVALID_STATE",
    remedies: [remedy("task", "query", { parent: "task-1-1" })],
  },
  {
    name: "a change that adds to a journal of another kind",
    setUp: async ({ workspace }) => {
      await workspace.write(`active/${spec_id}.json`, { ...specOf(spec_id), journal: { kept: true } });
    },
    call: call("journal", "add", { title: "Found", content: "It floats." }),
    code: "INVALID_STATE",
    remedies: [remedy("spec", "validate")],
    needsChoice: true,
  },
  {
    name: "a parent whose children lead back to it",
    setUp: async ({ workspace }) => {
      const document = specOf(spec_id, { tasks: 1 });
      const { "task-1-1": child = {} } = document.hierarchy as Readonly<Record<string, object>>;
      Object.assign(child, { children: ["phase-1"] });
      await workspace.write(`active/${spec_id}.json`, document);
    },
    call: call("task", "complete", task("task-1-1")),
    code: "INVALID_STATE",
    remedies: [remedy("spec", "validate")],
    needsChoice: true,
  },
  {
    name: "a verification of a task that is none",
    setUp: (state) => withVerify(state),
    call: call("verification", "add", { verify_id: "task-1-1", result: "PASSED" }),
    code: "VALIDATION_ERROR",
    remedies: [lists.hierarchy],
  },
  {
    name: "a verification where there is none",
    setUp: withSpec(),
    call: call("verification", "add", { verify_id: "task-1-1", result: "PASSED" }),
    code: "VALIDATION_ERROR",
    remedies: [{ ...remedy("task", "add", { type: "verify" }), needs: ["parent", "title"] } as Remedy],
    inputs: { parent: "phase-1", title: "Check" },
    needsChoice: true,
  },
  {
    name: "a task that waits for another",
    setUp: withSpec({ blockedBy: { "task-1-2": ["task-1-1"] } }),
    call: call("task", "start", task("task-1-2")),
    code: "DEPENDENCY_ERROR",
    remedies: [
      remedy("task", "prepare", task("task-1-1")),
      remedy("task", "remove-dependency", { task_id: "task-1-2", target_id: "task-1-1" }),
    ],
  },
  {
    name: "a task whose phase waits for another phase",
    setUp: twoPhases,
    call: call("task", "complete", task("task-2-1")),
    code: "DEPENDENCY_ERROR",
    remedies: [
      remedy("task", "prepare", task("task-1-1")),
      remedy("task", "remove-dependency", { task_id: "phase-2", target_id: "phase-1" }),
    ],
  },
  {
    name: "a task that waits in a cycle",
    setUp: withSpec({ blockedBy: { "task-1-1": ["task-1-2"], "task-1-2": ["task-1-1"] } }),
    call: call("task", "start", task("task-1-1")),
    code: "DEPENDENCY_ERROR",
    remedies: [remedy("task", "remove-dependency", { task_id: "task-1-1", target_id: "task-1-2" })],
  },
  {
    name: "a dependency that closes a cycle",
    setUp: withSpec({ blockedBy: { "task-1-2": ["task-1-1"] } }),
    call: call("task", "add-dependency", { task_id: "task-1-1", target_id: "task-1-2" }),
    code: "CIRCULAR_DEPENDENCY",
    remedies: [remedy("task", "remove-dependency", { task_id: "task-1-2", target_id: "task-1-1" })],
  },
  {
    name: "a task that somebody else holds",
    setUp: async (state) => {
      await withSpec()(state);
      await state.must("task", heldBy("ada"));
    },
    call: call("task", "complete", task("task-1-1")),
    code: "CONFLICT",
    remedies: [remedy("task", "next", { claim: true }), remedy("task", "wait")],
    needsChoice: true,
  },
  {
    name: "a claim of a task that somebody else holds",
    setUp: async (state) => {
      await withSpec()(state);
      await state.must("task", heldBy("ada"));
    },
    call: { tool: "task", args: heldBy("ben") },
    code: "CONFLICT",
    remedies: [remedy("task", "next", { claim: true }), remedy("task", "wait")],
    needsChoice: true,
  },
  {
    name: "a token without a lease",
    setUp: withSpec(),
    call: call("task", "start", { task_id: "task-1-1", claim_token: "1-gone" }),
    code: "CONFLICT",
    remedies: [remedy("task", "claim", task("task-1-1"))],
    needsChoice: true,
  },
  {
    name: "a token of a completed task",
    setUp: withSpec({ completed: ["task-1-1"] }),
    call: call("task", "reopen", { task_id: "task-1-1", claim_token: "1-gone", reason: "x" }),
    code: "CONFLICT",
    remedies: [remedy("task", "next", { claim: true })],
    needsChoice: true,
  },
  {
    name: "a claim of a completed task",
    setUp: withSpec({ completed: ["task-1-1"] }),
    call: { tool: "task", args: heldBy("ada") },
    code: "INVALID_STATE",
    remedies: [remedy("task", "next", { claim: true })],
    needsChoice: true,
  },
  {
    name: "a completed task that is set to pending",
    setUp: withSpec({ completed: ["task-1-1"] }),
    call: call("task", "update-status", { ...task("task-1-1"), status: "pending" }),
    code: "INVALID_STATE",
    remedies: [{ ...remedy("task", "reopen", task("task-1-1")), needs: ["reason"] } as Remedy],
    inputs: { reason: "It is wrong" },
    needsChoice: true,
  },
  {
    name: "a start of a task that is blocked",
    setUp: async (state) => {
      await withSpec()(state);
      await state.must("task", call("task", "block", { task_id: "task-1-1", reason: "A wall" }).args);
    },
    call: call("task", "start", task("task-1-1")),
    code: "INVALID_STATE",
    remedies: [remedy("task", "unblock", { ...task("task-1-1"), status: "in_progress" })],
  },
  {
    name: "a start of a task that was started",
    setUp: async (state) => {
      await withSpec()(state);
      await state.must("task", call("task", "start", task("task-1-1")).args);
    },
    call: call("task", "start", task("task-1-1")),
    code: "INVALID_STATE",
    remedies: [
      remedy("task", "complete", task("task-1-1")),
      { ...remedy("task", "block", task("task-1-1")), needs: ["reason"] } as Remedy,
      remedy("task", "update-status", { ...task("task-1-1"), status: "pending" }),
    ],
    inputs: { reason: "A wall" },
    needsChoice: true,
  },
  {
    name: "a completion of a spec that is pending",
    setUp: async ({ workspace }) => {
      await workspace.write(`pending/${spec_id}.json`, specOf(spec_id));
    },
    call: call("lifecycle", "complete"),
    code: "INVALID_STATE",
    remedies: [
      remedy("lifecycle", "move", { to_folder: "active" }),
      remedy("lifecycle", "move", { to_folder: "archived" }),
    ],
  },
  {
    name: "a completion of a spec with open tasks",
    setUp: withSpec(),
    call: call("lifecycle", "complete"),
    code: "INVALID_STATE",
    remedies: [
      remedy("task", "query"),
      { ...remedy("lifecycle", "complete", { force: true }), needs: ["reason"] } as Remedy,
    ],
    inputs: { reason: "It is not needed" },
  },
  {
    name: "a task that the caller claimed in an earlier session",
    setUp: async (state) => {
      await withSpec()(state);
      await state.must("task", call("task", "claim", task("task-1-1")).args);
    },
    call: call("task", "start", task("task-1-1")),
    code: "CONFLICT",
    remedies: [
      remedy("task", "next", { claim: true }),
      remedy("task", "wait"),
      remedy("task", "release", { ...task("task-1-1"), force: true }),
    ],
    needsChoice: true,
  },
  {
    name: "a claim of a blocked task",
    setUp: async (state) => {
      await withSpec()(state);
      await state.must("task", call("task", "block", { task_id: "task-1-1", reason: "A wall" }).args);
    },
    call: { tool: "task", args: heldBy("ada") },
    code: "INVALID_STATE",
    remedies: [{ ...remedy("task", "unblock", task("task-1-1")), needs: ["note"] } as Remedy],
    inputs: { note: "It is gone" },
  },
  {
    name: "a completion without the evidence that is required",
    setUp: async (state) => {
      await withVerify(state, { evidence: "required" });
      for (const id of ["task-1-1", "task-1-2", "task-1-3"])
        await state.must("task", call("task", "complete", task(id)).args);
    },
    call: call("task", "complete", task(verify_id)),
    code: "INVALID_STATE",
    remedies: [{ ...remedy("verification", "add", { verify_id }), needs: ["result", "notes"] } as Remedy],
    inputs: { result: "PASSED", notes: "All seen" },
  },
  {
    name: "a verification that requires evidence, before its work",
    setUp: (state) => withVerify(state, { evidence: "required" }),
    call: call("task", "start", task(verify_id)),
    code: "INVALID_STATE",
    remedies: [remedy("task", "prepare", task("task-1-1"))],
    needsChoice: true,
  },
  {
    name: "a claim of a verification before its work",
    setUp: (state) => withVerify(state),
    call: { tool: "task", args: heldBy("ada", verify_id) },
    code: "DEPENDENCY_ERROR",
    remedies: [remedy("task", "prepare", task("task-1-1"))],
    needsChoice: true,
  },
  {
    name: "forged evidence",
    setUp: (state) => withVerify(state),
    call: call("task", "update", { task_id: verify_id, metadata: { last_result: "PASSED" } }),
    code: "VALIDATION_ERROR",
    remedies: [{ tool: "verification", action: "add", needs: ["spec_id", "verify_id", "result", "notes"] }],
    inputs: { spec_id, verify_id, result: "PASSED", notes: "All seen" },
    needsChoice: true,
  },
  {
    name: "a forged review",
    setUp: withSpec(),
    call: call("task", "update", { task_id: "task-1-1", metadata: { reviews: [] } }),
    code: "VALIDATION_ERROR",
    remedies: [{ tool: "review", action: "add", needs: ["spec_id", "verdict", "summary"] }],
    inputs: { spec_id, verdict: "approved", summary: "All seen" },
    needsChoice: true,
  },
  {
    name: "a verification without a command",
    setUp: (state) => withVerify(state),
    call: call("verification", "execute", { verify_id }),
    code: "MISSING_REQUIRED",
    remedies: [remedy("task", "update", { ...task(verify_id), metadata: { command: "npm test" } })],
  },
  {
    name: "a program that verifications may not run",
    setUp: (state) => withVerify(state),
    call: call("verification", "execute", { verify_id, argv: ["npm", "test"] }),
    code: "FEATURE_DISABLED",
    remedies: [
      { ...remedy("verification", "add", { verify_id }), needs: ["result", "notes"] } as Remedy,
      { setting: "verify_programs" },
    ],
    inputs: { result: "PASSED", notes: "All seen" },
    needsChoice: true,
  },
  {
    name: "a note to a list that is none",
    setUp: async ({ workspace }) => {
      const document = specOf(spec_id);
      Object.assign(document.metadata, { constraints: { one: 1 } });
      await workspace.write(`active/${spec_id}.json`, document);
    },
    call: call("authoring", "note-add", { kind: "constraint", text: "No haste" }),
    code: "INVALID_STATE",
    remedies: [remedy("authoring", "spec-update", { metadata: { constraints: [] } })],
  },
  {
    name: "a note that is there",
    setUp: withSpec(),
    call: call("authoring", "note-add", { kind: "constraint", text: "Nothing real" }),
    code: "DUPLICATE_ENTRY",
    remedies: [remedy("authoring", "note-list", { kind: "constraint" })],
  },
  {
    name: "a phase with open work that is removed",
    setUp: withSpec({ phases: 2 }),
    call: call("authoring", "phase-remove", { phase_id: "phase-1", confirm: true }),
    code: "INVALID_STATE",
    remedies: [
      remedy("authoring", "phase-remove", { phase_id: "phase-1", force: true, confirm: true }),
      { ...remedy("task", "move", task("task-1-1")), needs: ["parent"] } as Remedy,
    ],
    inputs: { parent: "phase-2" },
  },
  {
    name: "a status that is set by hand",
    setUp: withSpec(),
    call: call("authoring", "spec-update", { metadata: { status: "completed" } }),
    code: "VALIDATION_ERROR",
    remedies: [remedy("task", "next"), { ...remedy("lifecycle", "move"), needs: ["to_folder"] } as Remedy],
    inputs: { to_folder: "pending" },
    needsChoice: true,
  },
  {
    name: "a progress that is set by hand",
    setUp: withSpec(),
    call: call("authoring", "spec-update", { metadata: { progress_percentage: 100 } }),
    code: "VALIDATION_ERROR",
    remedies: [remedy("task", "next")],
    needsChoice: true,
  },
  {
    name: "notes that are no list",
    setUp: withSpec(),
    call: call("authoring", "spec-update", { metadata: { risks: "many" } }),
    code: "INVALID_FORMAT",
    remedies: [{ ...remedy("authoring", "note-add"), needs: ["kind", "text"] } as Remedy],
    inputs: { kind: "risk", text: "Many" },
    needsChoice: true,
  },
  {
    name: "a change of an older revision",
    setUp: withSpec(),
    call: call("task", "start", { task_id: "task-1-1", if_revision: "9-ffffffff" }),
    code: "VERSION_CONFLICT",
    remedies: [remedy("spec", "get")],
  },
  {
    name: "a revision that is not kept",
    setUp: withSpec(),
    call: call("spec", "rollback", { to_revision: "9-ffffffff", confirm: true }),
    code: "NOT_FOUND",
    remedies: [remedy("spec", "history")],
  },
  {
    name: "a spec file that is no JSON",
    setUp: async (state) => {
      await withSpec()(state);
      const file = join(state.workspace.specs, "active", `${spec_id}.json`);
      await writeFile(file, '{ "spec_id":');
      // A file that was changed a moment ago may be incomplete, so the remedy would be to repeat the call.
      await utimes(file, 0, 0);
    },
    call: call("spec", "get"),
    code: "INVALID_FORMAT",
    remedies: [remedy("spec", "history")],
  },
  {
    name: "an invalid spec where validation is strict",
    setUp: async ({ workspace }) => {
      const document = specOf(spec_id);
      const { "phase-1": phase = {} } = document.hierarchy as Readonly<Record<string, object>>;
      Object.assign(phase, { total_tasks: 17 });
      await workspace.write(`active/${spec_id}.json`, document);
    },
    call: call("spec", "validate", { strict: true }),
    code: "VALIDATION_ERROR",
    remedies: [remedy("spec", "fix")],
  },
  {
    name: "a step with wrong parameters",
    setUp: withSpec(),
    call: call("task", "batch", { operations: [{ op: "block", task_id: "task-1-1", reason: 7 }] }),
    code: "INVALID_FORMAT",
    remedies: [{ tool: "server", action: "schema", arguments: { tool: "task", for_action: "block" } }],
  },
  {
    name: "the status of a spec that is imported again",
    setUp: withSpec(),
    call: call("spec", "import", { markdown: "# S\n\n## P\n\n- [ ] T\n", status: "pending" }),
    code: "VALIDATION_ERROR",
    remedies: [remedy("lifecycle", "move", { to_folder: "pending" })],
    needsChoice: true,
  },
  {
    name: "content that was never kept",
    setUp: withSpec(),
    call: { tool: "content", args: { action: "get", archive_id: `arc_${"0".repeat(24)}` } },
    code: "CONTENT_NOT_FOUND",
    remedies: [{ tool: "content", action: "list" }],
  },
  {
    name: "content without a name",
    setUp: withSpec(),
    call: { tool: "content", args: { action: "get" } },
    code: "MISSING_REQUIRED",
    remedies: [{ tool: "content", action: "list" }],
  },
  {
    name: "a folder without specs",
    setUp: ({ workspace }) => rm(workspace.specs, { recursive: true }),
    call: { tool: "spec", args: { action: "list" } },
    code: "NOT_FOUND",
    remedies: [{ command: "foundry-cli init" }, { setting: "specs_dir" }],
  },
  {
    name: "a specs folder that is named and missing",
    setUp: ({ workspace }) => writeFile(join(workspace.folder, "foundry.toml"), 'specs_dir = "plans"\n'),
    call: { tool: "spec", args: { action: "list" } },
    code: "NOT_FOUND",
    remedies: [{ command: "foundry-cli init" }, { setting: "specs_dir" }],
  },
  {
    name: "a revision whose history is damaged",
    setUp: async (state) => {
      await withSpec()(state);
      for (const id of ["task-1-1", "task-1-2"])
        await state.must("task", call("task", "start", task(id)).args);
      const { data } = await state.must("spec", call("spec", "history").args);
      const entries = data["entries"] as readonly { readonly revision: string }[];
      const folder = join(state.workspace.specs, ".foundry", "history", spec_id);
      for (const name of await readdir(folder)) if (name.startsWith("base-")) await rm(join(folder, name));
      const log = join(folder, "log.jsonl");
      await writeFile(log, (await readFile(log, "utf8")).replaceAll("pending", "pendinx"));
      return { to_revision: entries.at(-1)?.revision ?? "" };
    },
    call: ({ to_revision }) => call("spec", "rollback", { to_revision, confirm: true }),
    code: "BACKUP_CORRUPTED",
    remedies: [remedy("spec", "history")],
  },
  {
    name: "tasks that nest too deeply for Markdown",
    setUp: async ({ workspace }) => {
      const document = specOf(spec_id, { tasks: 0 });
      const nodes = document.hierarchy as object as Record<string, { readonly children: string[] }>;
      const depth = 510;
      for (let level = 1; level <= depth; level++) {
        const [id, parent] = [`task-1-${level}`, level === 1 ? "phase-1" : `task-1-${level - 1}`];
        nodes[parent]?.children.push(id);
        nodes[id] = Object.assign(structuredClone(nodes["phase-1"] ?? {}), {
          type: "task",
          title: id,
          parent,
          children: [],
        });
      }
      await workspace.write(`active/${spec_id}.json`, document);
    },
    call: call("spec", "export"),
    code: "CONTENT_TOO_LARGE",
    remedies: [{ ...remedy("task", "move"), needs: ["task_id", "parent"] } as Remedy],
    inputs: { task_id: "task-1-300", parent: "phase-1" },
  },
  {
    name: "quotes whose text is not kept any longer",
    setUp: async (state) => {
      const facts = await withResearch(state);
      await rm(join(state.workspace.specs, ".foundry", "archive"), { recursive: true });
      return facts;
    },
    call: ({ research_id }) => ({ tool: "research", args: { action: "verify", research_id } }),
    code: "CONTENT_NOT_FOUND",
    remedies: [{ tool: "research", action: "digest-batch", needs: ["sources"] }],
    inputs: { sources: [{ path: "note.md" }] },
  },
  {
    name: "a research that does not exist",
    setUp: withSpec(),
    call: { tool: "research", args: { action: "status", research_id: "research-20260101-000000" } },
    code: "NOT_FOUND",
    remedies: [{ tool: "research", action: "list" }],
  },
  {
    name: "a completed research that is resumed",
    setUp: withResearch,
    call: ({ research_id }) => ({ tool: "research", args: { action: "resume", research_id } }),
    code: "INVALID_STATE",
    remedies: ({ research_id }) => [research("report", research_id)],
  },
  {
    name: "a research with a damaged file",
    setUp: async (state) => {
      const facts = await withResearch(state);
      const folder = join(state.workspace.specs, ".foundry", "research", facts["research_id"] ?? "");
      await writeFile(join(folder, "run.json"), "no JSON");
      return facts;
    },
    call: ({ research_id }) => ({ tool: "research", args: { action: "report", research_id } }),
    code: "INVALID_FORMAT",
    remedies: ({ research_id }) => [
      { tool: "research", action: "delete", arguments: { research_id, confirm: true } },
    ],
  },
  {
    name: "an answer that is longer than its budget",
    setUp: async (state) => {
      await withSpec({ phases: 2, tasks: 20 })(state);
      const { meta } = await state.must("spec", long.args);
      return { archive_id: Object.keys(meta.content_archive_hashes ?? {})[0] ?? "" };
    },
    call: long,
    code: "CONTENT_TRUNCATED",
    remedies: ({ archive_id }) => [{ tool: "content", action: "get", arguments: { archive_id } }],
  },
  {
    name: "work that begins on a spec with errors",
    setUp: async ({ workspace }) => {
      const document = specOf(spec_id);
      const { "task-1-1": first = {} } = document.hierarchy as Readonly<Record<string, object>>;
      Object.assign(first, { dependencies: { blocks: [], blocked_by: ["task-9-9"], depends: [] } });
      await workspace.write(`pending/${spec_id}.json`, document);
    },
    call: call("lifecycle", "activate"),
    code: "INVALID_SPEC",
    remedies: [remedy("spec", "validate")],
  },
  {
    name: "a change that another program has overwritten",
    setUp: async (state) => {
      await withSpec()(state);
      const { data } = await state.must("task", call("task", "start", task("task-1-1")).args);
      await withSpec()(state);
      return { to_revision: String(data["revision"]) };
    },
    call: call("task", "progress"),
    code: "REVISION_OVERWRITTEN",
    remedies: ({ to_revision }) => [remedy("spec", "rollback", { to_revision, confirm: true })],
  },
];
