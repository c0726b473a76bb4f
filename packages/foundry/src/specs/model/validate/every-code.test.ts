import { describe, expect, it } from "vitest";
import { type DiagnosticCode, diagnosticTable } from "./diagnostics.ts";
import { toLines } from "./testing/to-lines.ts";
import { type Breakage, breakSpec } from "./testing/valid-spec.ts";
import { validateSpec, validateText } from "./validate-spec.ts";

const nested = JSON.parse(`${"[".repeat(70)}${"]".repeat(70)}`);
const task = "hierarchy.task-1-1";
const links = { blocked_by: [], blocks: [], depends: [] };

const rows: Record<
  Exclude<DiagnosticCode, "INPUT_TOO_LARGE" | "INVALID_JSON" | "INVALID_SPEC_TYPE">,
  readonly [Breakage, readonly string[]]
> = {
  MISSING_REQUIRED_FIELD: [
    { spec_id: undefined },
    [
      "error structure MISSING_REQUIRED_FIELD at $: Missing required field: spec_id",
      "  Add spec_id to the spec.",
    ],
  ],
  INVALID_SPEC_ID_FORMAT: [
    { spec_id: "My Spec" },
    [
      "warning structure INVALID_SPEC_ID_FORMAT at $.spec_id: Invalid spec id: 'My Spec'",
      "  Use lower-case letters, digits and hyphens, such as my-feature-2026-01-31-001.",
    ],
  ],
  INVALID_DATE_FORMAT: [
    { generated: "2026-1-2 03:04", last_updated: "yesterday" },
    [
      "warning structure INVALID_DATE_FORMAT fixable at $.generated: Invalid time in generated: '2026-1-2 03:04'",
      "  Set generated to 2026-01-02T03:04:00Z.",
      "warning structure INVALID_DATE_FORMAT fixable at $.last_updated: Invalid time in last_updated: 'yesterday'",
      "  Set last_updated to the time of the fix.",
    ],
  ],
  INVALID_HIERARCHY_TYPE: [
    { hierarchy: ["spec-root"] },
    [
      "error structure INVALID_HIERARCHY_TYPE at $.hierarchy: The hierarchy is a list, not an object of nodes",
      "  Make it an object with one member for each node.",
    ],
  ],
  INVALID_LIST_TYPE: [
    {
      journal: { a: 1 },
      "metadata.reviews": "none",
      [`${task}.metadata.verification_history`]: { a: 1 },
      [`${task}.metadata.reviews`]: null,
    },
    [
      "error structure INVALID_LIST_TYPE at $.journal: The field journal is an object, not a list",
      "  Make it a list.",
      "error structure INVALID_LIST_TYPE at $.metadata.reviews: The field reviews is 'none', not a list",
      "  Make it a list.",
      "error structure INVALID_LIST_TYPE at $.hierarchy.task-1-1.metadata.verification_history of task-1-1: The field verification_history is an object, not a list",
      "  Make it a list.",
    ],
  ],
  EMPTY_HIERARCHY: [
    { hierarchy: {} },
    [
      "error structure EMPTY_HIERARCHY at $.hierarchy: The hierarchy holds no node",
      "  Add spec-root and a first phase.",
    ],
  ],
  MISSING_MISSION: [
    { "metadata.mission": " " },
    [
      "warning metadata MISSING_MISSION at $.metadata.mission: The spec has no mission",
      "  Set metadata.mission.",
    ],
  ],
  EMPTY_SUCCESS_CRITERIA: [
    { "metadata.success_criteria": [] },
    [
      "warning metadata EMPTY_SUCCESS_CRITERIA at $.metadata.success_criteria: The spec has no success criteria",
      "  Set metadata.success_criteria.",
    ],
  ],
  EMPTY_CONSTRAINTS: [
    { "metadata.constraints": "" },
    [
      "warning metadata EMPTY_CONSTRAINTS at $.metadata.constraints: The spec has no constraints",
      "  Set metadata.constraints.",
    ],
  ],
  INVALID_RISK_ENTRY: [
    { "metadata.risks": ["Rain"] },
    [
      "error metadata INVALID_RISK_ENTRY at $.metadata.risks[0]: The value is 'Rain', not an object",
      "  Make each risk an object with a description.",
    ],
  ],
  MISSING_RISK_DESCRIPTION: [
    { "metadata.risks": [{ impact: "low" }] },
    [
      "error metadata MISSING_RISK_DESCRIPTION at $.metadata.risks[0]: The risk has no description",
      "  Say what may happen in description.",
    ],
  ],
  INVALID_RISK_FIELD: [
    { "metadata.risks": [{ description: "Rain", likelihood: "hihg", mitigation: 1 }] },
    [
      "error metadata INVALID_RISK_FIELD at $.metadata.risks[0].likelihood: Invalid likelihood value: 'hihg'",
      "  Did you mean high? Use one of low, medium, high.",
      "error metadata INVALID_RISK_FIELD at $.metadata.risks[0].mitigation: Invalid mitigation value: 1",
      "  Make it a text.",
    ],
  ],
  MISSING_PLAN_PATH: [
    { "metadata.plan_path": undefined },
    [
      "warning metadata MISSING_PLAN_PATH at $.metadata.plan_path: The spec has no plan",
      "  Set metadata.plan_path.",
    ],
  ],
  MISSING_PLAN_REVIEW_PATH: [
    { "metadata.plan_review_path": undefined },
    [
      "warning metadata MISSING_PLAN_REVIEW_PATH at $.metadata.plan_review_path: The spec has no review of its plan",
      "  Set metadata.plan_review_path.",
    ],
  ],
  INVALID_METADATA_TYPE: [
    { metadata: "none", [`${task}.metadata`]: null },
    [
      "error metadata INVALID_METADATA_TYPE at $.metadata: The metadata is 'none', not an object",
      "  Make it an object.",
      "error metadata INVALID_METADATA_TYPE at $.hierarchy.task-1-1.metadata of task-1-1: The metadata is null, not an object",
      "  Make it an object.",
    ],
  ],
  MISSING_VERIFICATION_TYPE: [
    { "hierarchy.verify-1-1.metadata": {} },
    [
      "error metadata MISSING_VERIFICATION_TYPE fixable at $.hierarchy.verify-1-1.metadata.verification_type of verify-1-1: Missing verification_type",
      "  Set verification_type to run-tests.",
    ],
  ],
  INVALID_VERIFICATION_TYPE: [
    {
      "hierarchy.verify-1-1.metadata.verification_type": "by eye",
      [`${task}.type`]: "verify",
      [`${task}.metadata.verification_type`]: "auto",
    },
    [
      "warning metadata INVALID_VERIFICATION_TYPE fixable at $.hierarchy.task-1-1.metadata.verification_type of task-1-1: Invalid verification_type value: 'auto'",
      "  Did you mean run-tests? Use one of run-tests, fidelity, manual. Fix sets it to run-tests.",
      "error metadata INVALID_VERIFICATION_TYPE fixable at $.hierarchy.verify-1-1.metadata.verification_type of verify-1-1: Invalid verification_type value: 'by eye'",
      "  Use one of run-tests, fidelity, manual. Fix sets it to manual.",
      "warning dependency VERIFY_BEFORE_WORK at $.hierarchy.task-1-1 of task-1-1: task-1-1 verifies phase-1, but task-1-2 below it waits for task-1-1",
      "  Remove the dependency on task-1-1, or move task-1-1 to the phase or group that it verifies.",
    ],
  ],
  UNKNOWN_FIELD: [
    {
      "metadata.complexety": "low",
      "metadata.complexity": undefined,
      [`${task}.metadata.labels2`]: [],
      anything: 1,
    },
    [
      "warning metadata UNKNOWN_FIELD at $.metadata.complexety: Unknown field: 'complexety'",
      "  Did you mean complexity?",
      "warning metadata UNKNOWN_FIELD at $.hierarchy.task-1-1.metadata.labels2 of task-1-1: Unknown field: 'labels2'",
      "  Did you mean labels?",
    ],
  ],
  INVALID_TASK_CATEGORY: [
    { [`${task}.metadata.task_category`]: "implementing" },
    [
      "error metadata INVALID_TASK_CATEGORY at $.hierarchy.task-1-1.metadata.task_category of task-1-1: Invalid task_category value: 'implementing'",
      "  Did you mean implementation? Use one of investigation, implementation, refactoring, decision, research.",
    ],
  ],
  MISSING_TASK_CATEGORY: [
    { [`${task}.metadata.task_category`]: undefined },
    [
      "warning metadata MISSING_TASK_CATEGORY at $.hierarchy.task-1-1.metadata.task_category of task-1-1: The task has no category",
      "  Set metadata.task_category to one of investigation, implementation, refactoring, decision, research.",
    ],
  ],
  MISSING_TASK_DESCRIPTION: [
    { [`${task}.metadata.description`]: "" },
    [
      "warning metadata MISSING_TASK_DESCRIPTION at $.hierarchy.task-1-1.metadata.description of task-1-1: The task has no description",
      "  Set metadata.description.",
    ],
  ],
  MISSING_ACCEPTANCE_CRITERIA: [
    { [`${task}.metadata.acceptance_criteria`]: [] },
    [
      "warning metadata MISSING_ACCEPTANCE_CRITERIA at $.hierarchy.task-1-1.metadata.acceptance_criteria of task-1-1: The task has no acceptance criteria",
      "  Set metadata.acceptance_criteria.",
    ],
  ],
  INVALID_ACCEPTANCE_CRITERIA: [
    { [`${task}.metadata.acceptance_criteria`]: "It works" },
    [
      "error metadata INVALID_ACCEPTANCE_CRITERIA at $.hierarchy.task-1-1.metadata.acceptance_criteria of task-1-1: The acceptance criteria are not a list of texts",
      "  Make them a list with one text for each criterion.",
    ],
  ],
  MISSING_FILE_PATH: [
    { [`${task}.metadata.file_path`]: undefined },
    [
      "warning metadata MISSING_FILE_PATH at $.hierarchy.task-1-1.metadata.file_path of task-1-1: The task has no file path",
      "  Set metadata.file_path.",
    ],
  ],
  INVALID_COMPLEXITY: [
    { "metadata.complexity": "hard", [`${task}.metadata.complexity`]: "Medium" },
    [
      "error metadata INVALID_COMPLEXITY at $.metadata.complexity: Invalid complexity value: 'hard'",
      "  Use one of low, medium, high.",
      "error metadata INVALID_COMPLEXITY at $.hierarchy.task-1-1.metadata.complexity of task-1-1: Invalid complexity value: 'Medium'",
      "  Did you mean medium? Use one of low, medium, high.",
    ],
  ],
  INVALID_PRIORITY: [
    { "metadata.priority": 1, [`${task}.metadata.priority`]: "High" },
    [
      "warning metadata INVALID_PRIORITY at $.metadata.priority: Invalid priority value: 1",
      "  Use one of critical, high, medium, low.",
      "warning metadata INVALID_PRIORITY at $.hierarchy.task-1-1.metadata.priority of task-1-1: Invalid priority value: 'High'",
      "  Did you mean high? Use one of critical, high, medium, low.",
    ],
  ],
  INVALID_LABELS: [
    { "metadata.labels": "api", [`${task}.metadata.labels`]: ["api", " "] },
    [
      "warning metadata INVALID_LABELS at $.metadata.labels: Invalid labels value: 'api'",
      "  Make it a list of texts that are not empty.",
      "warning metadata INVALID_LABELS at $.hierarchy.task-1-1.metadata.labels of task-1-1: Invalid labels value: a list",
      "  Make it a list of texts that are not empty.",
    ],
  ],
  INVALID_OWNER: [
    { [`${task}.metadata.owner`]: 7 },
    [
      "warning metadata INVALID_OWNER at $.hierarchy.task-1-1.metadata.owner of task-1-1: Invalid owner value: 7",
      "  Make it a text.",
    ],
  ],
  INVALID_DISCOVERED_FROM: [
    { [`${task}.metadata.discovered_from`]: "task-9-9" },
    [
      "warning metadata INVALID_DISCOVERED_FROM at $.hierarchy.task-1-1.metadata.discovered_from of task-1-1: The task was discovered from 'task-9-9', which does not exist",
      "  Set it to the id of a task, or remove it.",
    ],
  ],
  MISSING_COMPLEXITY: [
    { [`${task}.metadata.complexity`]: undefined },
    [
      "warning metadata MISSING_COMPLEXITY at $.hierarchy.task-1-1.metadata.complexity of task-1-1: The task has no complexity",
      "  Set metadata.complexity to one of low, medium, high.",
    ],
  ],
  MISSING_SPEC_ROOT: [
    { "hierarchy.spec-root": undefined, "hierarchy.phase-1.parent": "task-1-1" },
    [
      "error hierarchy MISSING_SPEC_ROOT at $.hierarchy: The hierarchy has no spec-root",
      "  Add spec-root, of type spec, with the phases as its children.",
    ],
  ],
  INVALID_ROOT_PARENT: [
    { "hierarchy.spec-root.parent": "phase-1" },
    [
      "error hierarchy INVALID_ROOT_PARENT fixable at $.hierarchy.spec-root.parent of spec-root: The root has the parent 'phase-1'",
      "  Set parent to null.",
    ],
  ],
  NULL_PARENT: [
    { [`${task}.parent`]: null },
    [
      "error hierarchy NULL_PARENT fixable at $.hierarchy.task-1-1.parent of task-1-1: The node has no parent",
      "  Set parent to phase-1.",
    ],
  ],
  MISSING_PARENT: [
    { [`${task}.parent`]: "phase-9" },
    [
      "error hierarchy MISSING_PARENT fixable at $.hierarchy.task-1-1.parent of task-1-1: The parent 'phase-9' does not exist",
      "  Set parent to phase-1.",
    ],
  ],
  INVALID_CHILDREN_TYPE: [
    { [`${task}.children`]: "none", "hierarchy.verify-1-1.children": [7] },
    [
      "error hierarchy INVALID_CHILDREN_TYPE at $.hierarchy.task-1-1.children of task-1-1: The children are 'none', not a list",
      "  Make them a list of node ids.",
      "error hierarchy INVALID_CHILDREN_TYPE at $.hierarchy.verify-1-1.children of verify-1-1: The children hold 7, which is no id",
      "  Make them a list of node ids.",
    ],
  ],
  MISSING_CHILD: [
    { [`${task}.children`]: ["task-1-9"] },
    [
      "error hierarchy MISSING_CHILD at $.hierarchy.task-1-1.children[0] of task-1-1: task-1-1 lists 'task-1-9', which does not exist",
      "  Add the node, or remove its id from the list.",
    ],
  ],
  PARENT_CHILD_MISMATCH: [
    {
      [`${task}.parent`]: "spec-root",
      "hierarchy.phase-1.children": ["task-1-1", "task-1-2", "verify-1-1", "task-1-2", "spec-root"],
    },
    [
      "error hierarchy PARENT_CHILD_MISMATCH fixable at $.hierarchy.phase-1.children[4] of phase-1: phase-1 lists the root as its child",
      "  Remove it from the children of phase-1.",
      "error hierarchy PARENT_CHILD_MISMATCH fixable at $.hierarchy.phase-1.children[3] of phase-1: phase-1 lists 'task-1-2' twice",
      "  Remove it from the children of phase-1.",
      "error hierarchy PARENT_CHILD_MISMATCH fixable at $.hierarchy.task-1-1.parent of task-1-1: The parent is 'spec-root', but phase-1 lists the node",
      "  Set parent to phase-1.",
    ],
  ],
  ORPHANED_NODES: [
    {
      "hierarchy.phase-1.children": ["task-1-1", "task-1-2"],
      "hierarchy.phase-1.total_tasks": 2,
      "hierarchy.spec-root.total_tasks": 2,
    },
    [
      "error hierarchy ORPHANED_NODES fixable at $.hierarchy.verify-1-1 of verify-1-1: No node lists verify-1-1 as its child",
      "  Add it to the children of phase-1.",
    ],
  ],
  CYCLE_DETECTED: [
    {
      [`${task}.children`]: ["task-1-2"],
      "hierarchy.task-1-2.children": ["task-1-1"],
      "hierarchy.phase-1.children": ["verify-1-1"],
      [`${task}.parent`]: "task-1-2",
      "hierarchy.task-1-2.parent": "task-1-1",
      "hierarchy.phase-1.total_tasks": 1,
      "hierarchy.spec-root.total_tasks": 1,
      [`${task}.dependencies`]: links,
      "hierarchy.task-1-2.dependencies": links,
    },
    [
      "error hierarchy CYCLE_DETECTED at $.hierarchy.task-1-1.children of task-1-1: Nodes are below themselves: task-1-1 → task-1-2 → task-1-1",
      "  Remove one of them from the children of the one before it.",
    ],
  ],
  INVALID_NODE_STRUCTURE: [
    { "hierarchy.note": "remember" },
    [
      "error node INVALID_NODE_STRUCTURE at $.hierarchy.note of note: Node 'note' is 'remember', not an object",
      "  Make it an object, or remove it.",
    ],
  ],
  MISSING_NODE_FIELD: [
    { "hierarchy.verify-1-1": { metadata: { verification_type: "manual" } } },
    [
      "error node MISSING_NODE_FIELD fixable at $.hierarchy.verify-1-1 of verify-1-1: Missing required field: type",
      '  Set type to "verify".',
      "error node MISSING_NODE_FIELD fixable at $.hierarchy.verify-1-1 of verify-1-1: Missing required field: title",
      '  Set title to "Verify 1 1".',
      "error node MISSING_NODE_FIELD fixable at $.hierarchy.verify-1-1 of verify-1-1: Missing required field: status",
      '  Set status to "pending".',
      "error node MISSING_NODE_FIELD fixable at $.hierarchy.verify-1-1 of verify-1-1: Missing required field: children",
      "  Set children to [].",
      "error node MISSING_NODE_FIELD fixable at $.hierarchy.verify-1-1 of verify-1-1: Missing required field: parent",
      '  Set parent to "phase-1".',
      "error node MISSING_NODE_FIELD fixable at $.hierarchy.verify-1-1 of verify-1-1: Missing required field: total_tasks",
      "  Set total_tasks to 1.",
      "error node MISSING_NODE_FIELD fixable at $.hierarchy.verify-1-1 of verify-1-1: Missing required field: completed_tasks",
      "  Set completed_tasks to 0.",
    ],
  ],
  INVALID_NODE_TYPE: [
    { "hierarchy.verify-1-1.type": "verification" },
    [
      "error node INVALID_NODE_TYPE fixable at $.hierarchy.verify-1-1.type of verify-1-1: Invalid type value: 'verification'",
      "  Did you mean verify? Use one of spec, phase, group, task, subtask, verify, research. Fix sets it to verify.",
    ],
  ],
  INVALID_STATUS: [
    { [`${task}.status`]: "unknown", "hierarchy.task-1-2.status": "in-progres" },
    [
      "error node INVALID_STATUS fixable at $.hierarchy.task-1-1.status of task-1-1: Invalid status value: 'unknown'",
      "  Use one of pending, in_progress, completed, blocked. Fix sets it to pending.",
      "error node INVALID_STATUS fixable at $.hierarchy.task-1-2.status of task-1-2: Invalid status value: 'in-progres'",
      "  Did you mean in_progress? Use one of pending, in_progress, completed, blocked. Fix sets it to in_progress.",
    ],
  ],
  EMPTY_TITLE: [
    { [`${task}.title`]: "  " },
    [
      "warning node EMPTY_TITLE fixable at $.hierarchy.task-1-1.title of task-1-1: Empty title: '  '",
      "  Set title to 'Task 1 1'.",
    ],
  ],
  COMPLETED_EXCEEDS_TOTAL: [
    { "hierarchy.phase-1.completed_tasks": 4 },
    [
      "error counts COMPLETED_EXCEEDS_TOTAL fixable at $.hierarchy.phase-1.completed_tasks of phase-1: 4 tasks are completed of 3",
      "  Set completed_tasks to 0 and total_tasks to 3.",
    ],
  ],
  TOTAL_TASKS_MISMATCH: [
    { "hierarchy.phase-1.total_tasks": 5 },
    [
      "error counts TOTAL_TASKS_MISMATCH fixable at $.hierarchy.phase-1.total_tasks of phase-1: total_tasks is 5, a recount gives 3",
      "  Set total_tasks to 3.",
    ],
  ],
  COMPLETED_TASKS_MISMATCH: [
    { "hierarchy.phase-1.completed_tasks": 1, [`${task}.completed_tasks`]: 1 },
    [
      "error counts COMPLETED_TASKS_MISMATCH fixable at $.hierarchy.phase-1.completed_tasks of phase-1: completed_tasks is 1, a recount gives 0",
      "  Set completed_tasks to 0.",
      "error counts COMPLETED_TASKS_MISMATCH fixable at $.hierarchy.task-1-1.completed_tasks of task-1-1: completed_tasks is 1, a recount gives 0",
      "  Set completed_tasks to 0.",
    ],
  ],
  INVALID_LEAF_COUNT: [
    { [`${task}.total_tasks`]: 0 },
    [
      "warning counts INVALID_LEAF_COUNT fixable at $.hierarchy.task-1-1.total_tasks of task-1-1: total_tasks is 0, a recount gives 1",
      "  Set total_tasks to 1.",
    ],
  ],
  INVALID_DEPENDENCIES_TYPE: [
    { "hierarchy.phase-1.dependencies": ["task-1-1", "ghost"] },
    [
      "error dependency INVALID_DEPENDENCIES_TYPE fixable at $.hierarchy.phase-1.dependencies of phase-1: The dependencies are a list, not an object",
      "  Make them an object with the lists blocked_by, blocks and depends.",
    ],
  ],
  INVALID_DEPENDENCY_FIELD: [
    { "hierarchy.phase-1.dependencies": { blocked_by: "task-1-1", depends: [3] } },
    [
      "error dependency INVALID_DEPENDENCY_FIELD at $.hierarchy.phase-1.dependencies.blocked_by of phase-1: blocked_by is not a list of ids",
      "  Make it a list of node ids.",
      "error dependency INVALID_DEPENDENCY_FIELD at $.hierarchy.phase-1.dependencies.depends of phase-1: depends is not a list of ids",
      "  Make it a list of node ids.",
    ],
  ],
  MISSING_DEPENDENCY_TARGET: [
    { "hierarchy.phase-1.dependencies.depends": ["phase-9"] },
    [
      "error dependency MISSING_DEPENDENCY_TARGET at $.hierarchy.phase-1.dependencies.depends[0] of phase-1: depends names 'phase-9', which does not exist",
      "  Correct the id, or remove it.",
    ],
  ],
  BIDIRECTIONAL_INCONSISTENCY: [
    { [`${task}.dependencies`]: undefined },
    [
      "error dependency BIDIRECTIONAL_INCONSISTENCY fixable at $.hierarchy.task-1-1.dependencies.blocks of task-1-1: task-1-2 names task-1-1 in blocked_by, but task-1-1 does not name task-1-2 in blocks",
      "  Add task-1-2 to blocks of task-1-1.",
    ],
  ],
  DEPENDENCY_CYCLE: [
    {
      [`${task}.dependencies.blocked_by`]: ["task-1-2"],
      "hierarchy.task-1-2.dependencies.blocks": ["task-1-1"],
    },
    [
      "error dependency DEPENDENCY_CYCLE at $.hierarchy.task-1-1.dependencies of task-1-1: Nodes wait for each other: task-1-1 → task-1-2 → task-1-1",
      "  Remove one of these dependencies.",
    ],
  ],
  VERIFY_BEFORE_WORK: [
    {
      "hierarchy.task-1-2.dependencies.blocked_by": ["task-1-1", "verify-1-1"],
      "hierarchy.verify-1-1.dependencies": { ...links, blocks: ["task-1-2"] },
    },
    [
      "warning dependency VERIFY_BEFORE_WORK at $.hierarchy.verify-1-1 of verify-1-1: verify-1-1 verifies phase-1, but task-1-2 below it waits for verify-1-1",
      "  Remove the dependency on verify-1-1, or move verify-1-1 to the phase or group that it verifies.",
    ],
  ],
  EXCESSIVE_NESTING: [
    { extra: nested },
    [
      "warning security EXCESSIVE_NESTING at $.extra[0][0][0][0][0][0][0]: Values are nested more than 64 levels deep",
      "  Flatten them.",
    ],
  ],
  EXCESSIVE_ARRAY_LENGTH: [
    { extra: Array(10_001).fill(0) },
    [
      "warning security EXCESSIVE_ARRAY_LENGTH at $.extra: The list has 10001 items; more than 10000 are unusual",
      "  Split it up.",
    ],
  ],
  EXCESSIVE_JOURNAL_LENGTH: [
    { journal: Array(10_001).fill({}) },
    [
      "warning security EXCESSIVE_JOURNAL_LENGTH at $.journal: The journal has 10001 entries; more than 10000 are unusual",
      "  Move old entries elsewhere.",
    ],
  ],
};

describe("every code", () => {
  for (const [code, [breakage, expected]] of Object.entries(rows))
    it(`${code} is reported for a spec with that problem`, () => {
      const { diagnostics } = validateSpec(breakSpec(breakage));
      expect(diagnostics.flatMap(toLines)).toEqual(expected);
      expect(diagnostics.map((each) => each.code)).toContain(code);
    });

  it("of values that are no spec", () => {
    const told = (value: unknown) => validateSpec(value).diagnostics.flatMap(toLines);
    const say = (what: string) => [
      `error structure INVALID_SPEC_TYPE at $: The spec is ${what}, not an object`,
      "  Make it an object.",
    ];
    expect(told(null)).toEqual(say("null"));
    expect(told([])).toEqual(say("a list"));
    expect(told("x".repeat(100))).toEqual(say(`'${"x".repeat(60)}…'`));
    expect(validateText('{\n "a": }').diagnostics.flatMap(toLines)).toEqual([
      "error structure INVALID_JSON at $: Cannot read the spec: it is not JSON, see line 2, column 7",
      "  Correct the spec at line 2, column 7.",
    ]);
    expect(validateText(" ".repeat(64 * 1024 * 1024 + 1)).diagnostics.flatMap(toLines)).toEqual([
      "error structure INPUT_TOO_LARGE at $: The spec is larger than 64 MiB",
      "  Split it into several specs.",
    ]);
  });

  it("stands in the table, and is called fixable there where any of its diagnostics is", () => {
    const tested = [...Object.keys(rows), "INVALID_SPEC_TYPE", "INVALID_JSON", "INPUT_TOO_LARGE"];
    expect(tested.sort()).toEqual(Object.keys(diagnosticTable).sort());
    expect(tested.length).toBe(60);
    for (const [code, [, lines]] of Object.entries(rows)) {
      const isFixable = lines.some((line) => line.includes(` ${code} fixable at `));
      expect([code, isFixable]).toEqual([code, diagnosticTable[code as DiagnosticCode].fixable]);
    }
  });
});
