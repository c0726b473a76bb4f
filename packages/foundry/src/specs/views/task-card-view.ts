import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  age,
  type Canvas,
  commandLines,
  fields,
  glyphsOf,
  indent,
  type Line,
  line,
  list,
  prose,
  recordOf,
  recordsOf,
  section,
  stack,
  styled,
  textOf,
  textsOf,
  timeLeft,
} from "@foundry-mcp/toolkit/terminal";
import { named, nextCommands, progressWords, statusMark, statusWords, tallyOf } from "./parts.ts";
import { notesOf } from "./spec-view.ts";
import { blockerLines } from "./task-list-view.ts";
import { metadataLists, metadataTexts } from "./task-metadata.ts";

/**
 * Shows a task with the information for its work and the commands to type next. If there is no task, the view
 * shows the reason.
 */
export function taskCardView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  if (data["found"] === false) return noTaskLines(data, canvas);
  // `next` returns the task itself as the payload. `info` and `prepare` return the task as a member of the
  // payload.
  const task = data["task"] === undefined ? data : recordOf(data["task"]);
  const around = data["context"] === undefined ? data : recordOf(data["context"]);
  return stack(
    cardLines(task, around, data, canvas),
    nextCommands(canvas, ...commandsFor(task, textOf(data["spec_id"]), textOf(data["claim_token"]))),
    doneLine(data),
  );
}

/** Returns a card without the commands. */
function cardLines(
  task: UnknownRecord,
  around: UnknownRecord,
  data: UnknownRecord,
  canvas: Canvas,
): readonly Line[] {
  const metadata = recordOf(task["metadata"]);
  const at = (name: string) => task[name] ?? metadata[name];
  const phase = recordOf(around["phase"]);
  const dependencies = recordOf(data["dependencies"] ?? task["dependencies"]);
  const journal = recordsOf(around["task_journal"]);
  return stack(
    [
      { text: named(task["task_id"], task["title"]), hang: ["  "] },
      line(statusMark(task["status"], canvas), ` ${kindWords(task, metadata)}`),
    ],
    toProse(at("description")),
    fields(
      [
        ["File", textOf(at("file_path"))],
        ["Command", textOf(at("command"))],
        ...metadataTexts(metadata),
        ["Spec", textOf(data["spec_id"])],
        ["Phase", phaseWords(phase)],
        ["Mission", toProse(around["mission"])],
        ["Holder", holderWords(data["holder"] === undefined ? task : data, canvas)],
        ["Token", textOf(data["claim_token"] ?? task["claim_token"])],
      ],
      canvas,
    ),
    ...metadataLists(metadata, canvas),
    section("Acceptance", list(textsOf(at("acceptance_criteria")), canvas, box(task["status"], canvas))),
    section("Constraints", list(notesOf(around["constraints"]), canvas)),
    section("Risks", list(notesOf(around["risks"]), canvas)),
    section(
      "Waited for",
      recordsOf(around["waited_for"]).flatMap((each) => waitedForLines(each, canvas)),
    ),
    section("Waits for", waitingLines(task, dependencies, canvas)),
    section(
      "Journal",
      journal.flatMap((entry) => journalLines(entry, canvas)),
    ),
  );
}

const box = (status: unknown, { unicode = true }: Canvas) =>
  status === "completed" ? (unicode ? "☑" : "[x]") : unicode ? "☐" : "[ ]";

const toProse = (value: unknown): readonly Line[] =>
  textOf(value).trim() === "" ? [] : prose(textOf(value));

function kindWords(task: UnknownRecord, metadata: UnknownRecord): string {
  const at = (name: string) => textOf(task[name] ?? metadata[name]);
  const hours = at("estimated_hours");
  const labels = textsOf(task["labels"] ?? metadata["labels"]).map((label) => `#${label}`);
  return [
    statusWords(task["status"]),
    at("type"),
    at("task_category"),
    at("priority"),
    at("owner"),
    hours === "" ? "" : `${hours} h`,
    ...labels,
  ]
    .filter((text) => text !== "")
    .join(", ");
}

function phaseWords({ id, title, purpose }: UnknownRecord): string {
  const reason = textOf(purpose);
  return [textOf(id), textOf(title), reason === "" ? "" : `(${reason})`]
    .filter((text) => text !== "")
    .join(" ");
}

function holderWords({ holder, lease_until }: UnknownRecord, canvas: Canvas): string {
  return [textOf(holder), timeLeft(textOf(lease_until), canvas)].filter((text) => text !== "").join(" ");
}

function waitedForLines({ task_id, title, note }: UnknownRecord, canvas: Canvas): readonly Line[] {
  return [
    { lead: [styled("green", glyphsOf(canvas).done), " "], text: named(task_id, title) },
    ...indent(toProse(note), 4),
  ];
}

function waitingLines(task: UnknownRecord, dependencies: UnknownRecord, canvas: Canvas): readonly Line[] {
  const lines = blockerLines(
    { ...dependencies, blocker: dependencies["blocker"] ?? task["blocker"] },
    canvas,
  );
  if (lines.length > 0 || task["status"] === "completed") return lines;
  return list(textsOf(dependencies["blocked_by"]), canvas);
}

function journalLines({ title, content, timestamp }: UnknownRecord, canvas: Canvas): readonly Line[] {
  const when = age(textOf(timestamp), canvas);
  return [
    { text: [textOf(title), ...(when === "" ? [] : [styled("dim", ` (${when})`)])], hang: ["  "] },
    ...indent(toProse(content)),
  ];
}

/** Returns the commands that a task allows. */
function commandsFor(task: UnknownRecord, spec: string, claim: string): readonly (readonly string[])[] {
  const id = textOf(task["task_id"]);
  const token = claim === "" ? [] : ["--claim-token", claim];
  switch (task["status"]) {
    case "completed":
      return [["tasks", "next", spec]];
    case "blocked":
      return [["tasks", "unblock", spec, id, "--note", "NOTE"]];
    case "in_progress":
      return [["tasks", "complete", spec, id, "--note", "NOTE", ...token]];
    default:
      return [
        ["tasks", "start", spec, id, ...token],
        ["tasks", "complete", spec, id, "--note", "NOTE", ...token],
      ];
  }
}

function doneLine(data: UnknownRecord): readonly Line[] {
  if (data["progress"] === undefined) return [];
  return [line(styled("dim", `${progressWords(tallyOf(data["progress"]))} completed`))];
}

/** Shows that there is no task, and shows the reason and the calls that help. */
function noTaskLines(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const message = textOf(data["message"]) || `No task: ${statusWords(data["reason"]) || "none is ready"}`;
  const { done, blocked } = glyphsOf(canvas);
  const isDone = data["spec_complete"] === true;
  return stack(
    [{ lead: [isDone ? styled("green", done) : styled("yellow", blocked), " "], text: [message] }],
    section(
      "Specs",
      recordsOf(data["specs"]).flatMap((each) => [
        { text: named(each["spec_id"], ""), hang: ["  "] },
        ...indent(toProse(each["message"])),
      ]),
    ),
    section(
      "Held",
      recordsOf(data["held"]).flatMap((each) => [
        { text: named(each["task_id"], each["title"]), hang: ["  "] },
        ...indent([line(styled("dim", "by "), holderWords(each, canvas))]),
      ]),
    ),
    section(
      "In progress",
      recordsOf(data["in_progress"]).map((each) => ({
        text: named(each["task_id"], each["title"]),
        hang: ["  "],
      })),
    ),
    section(
      "Blocked",
      recordsOf(data["blocked"]).flatMap((each) => [
        { text: named(each["task_id"], each["title"]), hang: ["  "] },
        ...indent(blockerLines(each, canvas)),
      ]),
    ),
    // Each remedy is a sentence that ends with its command.
    textOf(data["remediation"])
      .split(/(?<=\.) (?=[A-Z])/)
      .filter((text) => text !== "")
      .flatMap((text) => remedyLines(text, canvas)),
    doneLine(data),
  );
}

/** Shows a remedy. The command of the remedy is on a separate line. */
function remedyLines(sentence: string, canvas: Canvas): readonly Line[] {
  const [advice = "", ...command] = sentence.replace(/\.$/, "").split(": ");
  if (command.length === 0) return [line(advice)];
  return [line(`${advice}:`), ...indent(commandLines(command.join(": "), canvas, { indent: 2 }))];
}

/** Shows several tasks that were claimed in one call. */
export function taskBatchView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const tasks = recordsOf(data["tasks"]);
  if (tasks.length === 0) return noTaskLines(data, canvas);
  const mission = { mission: data["mission"], spec_id: data["spec_id"] };
  return stack(
    ...tasks.map((task) => cardLines(task, { ...task, ...mission }, mission, canvas)),
    doneLine(data),
  );
}

/** Shows the result of a wait. */
export function waitView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const { done, open } = glyphsOf(canvas);
  const isReady = data["ready"] === true;
  const text = isReady
    ? ["Ready: ", ...named(data["task_id"], data["title"])]
    : [
        data["changed"] === true ? "The spec was changed; no task is ready" : "No task became ready",
        data["reason"] === undefined ? "" : ` (${statusWords(data["reason"])})`,
        data["timed_out"] === true ? "; the time is over" : "",
      ];
  return stack(
    [{ lead: [isReady ? styled("green", done) : styled("dim", open), " "], text }],
    isReady ? nextCommands(canvas, ["tasks", "next", textOf(data["spec_id"])]) : [],
  );
}
