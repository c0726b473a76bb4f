import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type Canvas,
  glyphsOf,
  indent,
  type Line,
  line,
  numberOf,
  pluralize,
  recordOf,
  recordsOf,
  type Span,
  styled,
  textOf,
  textsOf,
  timeLeft,
  type View,
} from "@foundry-mcp/toolkit/terminal";
import { labelled, progressWords, statusWords, tallyOf } from "./parts.ts";

/** The words for a change that was made, and for a change that was only tested in a dry run. */
export interface ChangeWords {
  readonly done: string;
  readonly would: string;
  /** Returns details from the payload, which are shown after the node. */
  readonly details?: ((data: UnknownRecord, canvas: Canvas) => string) | undefined;
}

const at = (name: string) => (data: UnknownRecord) => textOf(data[name]);
const fieldsUpdated = (data: UnknownRecord) => {
  const names = textsOf(data["fields_updated"]).map((name) => name.replaceAll("_", " "));
  return names.length === 0 ? "" : `: ${names.join(", ")}`;
};

/** The words with which the view describes each change of a task, by action. */
export const taskChanges = {
  start: { done: "Started", would: "start" },
  complete: { done: "Completed", would: "complete" },
  block: {
    done: "Blocked",
    would: "block",
    details: ({ blocker }) => {
      const reason = textOf(recordOf(blocker)["reason"]);
      return reason === "" ? "" : `: ${reason}`;
    },
  },
  unblock: { done: "Unblocked", would: "unblock" },
  "update-status": {
    done: "Set the status of",
    would: "set the status of",
    details: ({ status }) => ` to ${statusWords(status)}`,
  },
  reopen: { done: "Reopened", would: "reopen" },
  add: {
    done: "Added",
    would: "add",
    details: ({ parent }) => (textOf(parent) === "" ? "" : ` to ${textOf(parent)}`),
  },
  remove: {
    done: "Removed",
    would: "remove",
    details: ({ removed_nodes, removed_count }) => {
      const count = textsOf(removed_nodes).length || numberOf(removed_count);
      return count > 1 ? ` with ${pluralize(count - 1, "node")} below it` : "";
    },
  },
  move: {
    done: "Moved",
    would: "move",
    details: ({ old_parent, new_parent, new_position }) =>
      textOf(old_parent) === textOf(new_parent)
        ? ` to position ${numberOf(new_position) + 1} of ${textOf(new_parent)}`
        : ` from ${textOf(old_parent)} to ${textOf(new_parent)}`,
  },
  update: { done: "Updated", would: "update", details: fieldsUpdated },
  "add-dependency": {
    done: "Updated",
    would: "update",
    details: (data) => `: it waits for ${at("depends_on")(data)}`,
  },
  "remove-dependency": {
    done: "Updated",
    would: "update",
    details: (data) => `: it does not wait for ${at("depends_on")(data)} any more`,
  },
  claim: { done: "Claimed", would: "claim" },
  heartbeat: { done: "Renewed the claim of", would: "renew the claim of" },
  reset: { done: "Gave back", would: "give back" },
  release: { done: "Gave up the claim of", would: "give up the claim of" },
  "update-phase": { done: "Updated", would: "update", details: fieldsUpdated },
  "add-phase": {
    done: "Added",
    would: "add",
    details: ({ total_tasks }) =>
      numberOf(total_tasks) === 0 ? "" : ` with ${pluralize(numberOf(total_tasks), "task")}`,
  },
  "move-phase": { done: "Moved", would: "move" },
  "remove-phase": { done: "Removed", would: "remove" },
} as const satisfies Readonly<Record<string, ChangeWords>>;

/** Returns the view of a change of a task or a phase. The view has one line with the new progress. */
export function changeView(name: keyof typeof taskChanges): View {
  return (data, canvas) => [...changeLines(taskChanges[name], data, canvas), ...furtherLines(data, canvas)];
}

function changeLines(words: ChangeWords, data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const isDry = data["dry_run"] === true;
  const id = textOf(data["task_id"]) || textOf(data["phase_id"]);
  const title = textOf(data["title"]);
  const details = words.details?.(data, canvas) ?? "";
  const progress = data["progress"] === undefined ? "" : ` - ${progressWords(tallyOf(data["progress"]))}`;
  const status = textOf(data["status"]);
  // A change that has no effect is not always an error; for example, a completed task can be completed again.
  if (data["changed"] === false || (status !== "" && status === textOf(data["previous_status"])))
    return [
      noChange(canvas, [
        styled("bold", id),
        title === "" ? "" : ` "${title}"`,
        status === "" ? "" : ` is ${statusWords(status)}`,
      ]),
    ];
  const text: readonly Span[] = [
    isDry ? `Dry run: would ${words.would} ` : `${words.done} `,
    styled("bold", id),
    title === "" ? "" : ` "${title}"`,
    details,
    progress,
  ];
  return [{ lead: [mark(isDry, canvas), " "], text }];
}

/** Returns the line of a change that changed nothing. */
export const noChange = (canvas: Canvas, text: readonly Span[]): Line => ({
  lead: [styled("dim", glyphsOf(canvas).open), " "],
  text: ["No change: ", ...text],
});

const mark = (isDry: boolean, canvas: Canvas): Span =>
  isDry ? styled("dim", glyphsOf(canvas).open) : styled("green", glyphsOf(canvas).done);

/** Returns the claim, and the command that the user types next. */
function furtherLines(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const spec = textOf(data["spec_id"]);
  const token = textOf(data["claim_token"]);
  const next = recordOf(data["next"]);
  const claim =
    token === ""
      ? []
      : [
          line(
            styled("dim", "held by "),
            textOf(data["holder"]),
            ` ${timeLeft(textOf(data["lease_until"]), canvas)}`,
          ),
          line(styled("dim", "token   "), token),
        ];
  if (data["dry_run"] === true || spec === "") return indent(claim);
  const then =
    data["spec_complete"] === true
      ? labelled("all tasks are completed:", ["lifecycle", "complete", spec], canvas, 2)
      : textOf(next["task_id"]) !== ""
        ? [
            line(
              styled("dim", "next: "),
              styled("bold", textOf(next["task_id"])),
              ` "${textOf(next["title"])}"`,
            ),
          ]
        : data["status"] === "completed"
          ? labelled("next:", ["tasks", "next", spec], canvas, 2)
          : [];
  return indent([...claim, ...then]);
}

/** Shows the changes of a batch with one line for each change, and the operations that failed. */
export function batchView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const { failed } = glyphsOf(canvas);
  const done = recordsOf(data["results"]).flatMap(({ op, ...result }) =>
    changeLines(wordsOfOperation(op), { ...result, dry_run: data["dry_run"] }, canvas),
  );
  const failures = recordsOf(data["failures"]).map(
    ({ task_id, op, error, message }): Line => ({
      lead: [styled("red", failed), " "],
      text: [textOf(op), " ", styled("bold", textOf(task_id)), `: ${textOf(error) || textOf(message)}`],
    }),
  );
  const counts = `${numberOf(data["processed"])} done, ${numberOf(data["failed"])} failed`;
  return [...done, ...failures, line(styled("dim", counts))];
}

function wordsOfOperation(op: unknown): ChangeWords {
  const name = textOf(op);
  const known: Readonly<Record<string, ChangeWords>> = taskChanges;
  return Object.hasOwn(known, name)
    ? (known[name] as ChangeWords)
    : { done: `Done (${name}):`, would: `do (${name})` };
}
