import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type Canvas,
  indent,
  type Line,
  line,
  numberOf,
  recordOf,
  recordsOf,
  type Span,
  section,
  stack,
  styled,
  table,
  textOf,
  textsOf,
  tree,
} from "@foundry-mcp/toolkit/terminal";
import { countLine, groupBy, named, statusMark, tallyOf } from "./parts.ts";

/** Shows tasks, grouped by phase. If a task and its ancestor are both in the list, the task is indented. */
export function taskListView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const tasks = recordsOf(data["tasks"]);
  if (tasks.length === 0) return [line("No tasks.")];
  const placeOf = createPlaceOf(tasks);
  // The counts of a page or of a filtered list could be mistaken for the counts of the phase, so they are not
  // shown.
  const isWhole = data["filtered_count"] === undefined && numberOf(data["total_count"]) === tasks.length;
  const groups = groupBy(tasks, (task) => placeOf(task).phase);
  return stack(
    ...[...groups].map(([phase, own]) => {
      const done = own.filter(({ status }) => status === "completed").length;
      const rows = taskRows(own, (task) => placeOf(task).depth, canvas);
      return [
        line(
          styled("bold", phase || "tasks"),
          styled("dim", `  ${isWhole ? `${done} of ${own.length} completed` : own.length}`),
        ),
        ...indent(rows),
      ];
    }),
    countLine(tasks.length, data, "tasks"),
  );
}

function taskRows(
  tasks: readonly UnknownRecord[],
  depthOf: (task: UnknownRecord) => number,
  canvas: Canvas,
): readonly Line[] {
  const rows = tasks.map((task): (readonly Span[])[] => [
    [
      " ".repeat(2 * depthOf(task)),
      statusMark(task["status"], canvas),
      " ",
      styled("bold", textOf(task["task_id"])),
    ],
    [textOf(task["title"])],
    [styled("dim", factsOf(task))],
  ]);
  const columns = [{ head: "" }, { head: "", isProse: true }, { head: "" }];
  const lines = table(columns, rows, canvas, { indent: 2, hasHeads: false });
  if (lines !== undefined) return lines;
  return tasks.flatMap((task) => {
    const facts = factsOf(task);
    return [
      {
        lead: [" ".repeat(2 * depthOf(task)), statusMark(task["status"], canvas), " "],
        text: named(task["task_id"], task["title"]),
      },
      ...(facts === "" ? [] : [{ lead: ["    "], text: [styled("dim", facts)] }]),
    ];
  });
}

function factsOf({ type, priority, owner, labels, blocked_by, status }: UnknownRecord): string {
  const waits = status === "completed" ? [] : textsOf(blocked_by);
  return [
    type === "task" || type === "subtask" ? "" : textOf(type),
    textOf(priority),
    textOf(owner),
    ...textsOf(labels).map((label) => `#${label}`),
    waits.length === 0 ? "" : `waits for ${waits.join(", ")}`,
  ]
    .filter((text) => text !== "")
    .join(", ");
}

const maxDepth = 8;

/**
 * Returns a function that finds the phase of a task, and the depth of the task below other tasks of the list.
 */
function createPlaceOf(tasks: readonly UnknownRecord[]) {
  const byId = new Map(tasks.map((task) => [textOf(task["task_id"]), task]));
  return (task: UnknownRecord): { readonly phase: string; readonly depth: number } => {
    let parent = textOf(task["parent"]);
    let depth = 0;
    for (; depth < maxDepth && byId.has(parent); depth++) parent = textOf(byId.get(parent)?.["parent"]);
    return { phase: parent, depth };
  };
}

/** Shows phases and tasks as a tree. */
export function taskTreeView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const nodes = recordsOf(data["nodes"]);
  if (nodes.length === 0) return [line("Nothing.")];
  const rows = nodes.map((node) => {
    const { completed, total } = tallyOf(node["progress"]);
    const isParent = numberOf(node["children"]) > 0;
    const isRoot = node["type"] === "spec";
    const facts = [
      node["type"] === "verify" ? "verify" : "",
      isParent || node["type"] === "phase" || isRoot ? `${completed} of ${total}` : "",
    ].filter((text) => text !== "");
    return {
      depth: numberOf(node["depth"]),
      text: [
        statusMark(node["status"], canvas),
        " ",
        ...(isRoot
          ? [styled("bold", textOf(node["title"]) || textOf(data["spec_id"]))]
          : named(node["node_id"], node["title"])),
        ...(facts.length === 0 ? [] : [styled("dim", `  ${facts.join(", ")}`)]),
      ],
    };
  });
  return stack(tree(rows, canvas), countLine(nodes.length, data, "nodes"));
}

/** Shows tasks that cannot start, each with the tasks for which it waits. */
export function blockedListView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const tasks = recordsOf(data["tasks"]);
  if (tasks.length === 0) return [line("No task is blocked.")];
  return stack(
    tasks.flatMap((task) => [
      {
        lead: [statusMark(task["status"] ?? "blocked", canvas), " "],
        text: named(task["task_id"], task["title"]),
      },
      ...indent(blockerLines(task, canvas)),
    ]),
    countLine(tasks.length, data, "tasks"),
  );
}

/** Returns the reasons why a task cannot start: the recorded obstacle, and the tasks for which it waits. */
export function blockerLines(task: UnknownRecord, canvas: Canvas): readonly Line[] {
  const { type, reason, ticket, task_id: by } = recordOf(task["blocker"]);
  const waits = recordsOf(task["blockers"]);
  const facts = [textOf(type), textOf(ticket)].filter((text) => text !== "").join(", ");
  const told = textOf(reason);
  // If the obstacle is a dependency, its reason is left out, because the listed tasks show it.
  const isTold = told !== "" && (textOf(by) === "" || waits.length === 0);
  return [
    ...(isTold
      ? [{ text: [told, ...(facts === "" ? [] : [styled("dim", ` (${facts})`)])], hang: ["  "] }]
      : []),
    ...waits.map((other) => ({
      text: [
        styled("dim", "waits for "),
        statusMark(other["status"], canvas),
        " ",
        ...named(other["task_id"], other["title"]),
      ],
      hang: ["  "],
    })),
  ];
}

/** Shows the tasks for which a task waits, and the tasks that wait for it. */
export function dependenciesView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const id = textOf(data["task_id"]);
  const lines = (value: unknown): readonly Line[] =>
    recordsOf(value).map((other) => ({
      lead: [statusMark(other["status"], canvas), " "],
      text: named(other["task_id"], other["title"]),
    }));
  const verdict =
    data["can_start"] === true
      ? "can start"
      : data["status"] === "completed"
        ? "is completed"
        : "cannot start yet";
  return stack(
    [
      { lead: [statusMark(data["status"], canvas), " "], text: [styled("bold", id), ` ${verdict}`] },
      ...indent(recordsOf(data["blockers"]).length > 0 ? [] : blockerLines(data, canvas)),
    ],
    section("Waits for", lines(data["blockers"])),
    section("Others wait for it", lines(data["blocks"])),
    section("Related", lines(data["soft_depends"])),
  );
}
