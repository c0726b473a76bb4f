import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  age,
  type Canvas,
  glyphsOf,
  indent,
  type Line,
  line,
  prose,
  recordOf,
  recordsOf,
  stack,
  styled,
  textOf,
} from "@foundry-mcp/toolkit/terminal";
import { countLine, named, statusWords } from "./parts.ts";

/** Shows journal entries like `git log`. The newest entry comes first. */
export function journalView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const entries = recordsOf(data["entries"]);
  if (entries.length === 0) return [line("The journal is empty.")];
  return stack(
    ...entries.map((entry) => entryLines(entry, canvas)),
    countLine(entries.length, data, "entries"),
  );
}

function entryLines(entry: UnknownRecord, canvas: Canvas): readonly Line[] {
  const task = textOf(entry["task_id"]);
  const facts = [
    statusWords(entry["entry_type"]),
    textOf(entry["author"]),
    age(textOf(entry["timestamp"]), canvas),
  ];
  const content = textOf(entry["content"]);
  return [
    {
      text: [...(task === "" ? [] : [styled("yellow", task), " "]), styled("bold", textOf(entry["title"]))],
      hang: ["  "],
    },
    ...indent([
      line(styled("dim", facts.filter((text) => text !== "").join(", "))),
      ...(content.trim() === "" ? [] : prose(content)),
    ]),
  ];
}

/** Shows the entry that was added. */
export function journalAddView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const entry = recordOf(data["entry"]);
  const isDry = data["dry_run"] === true;
  const { done, open } = glyphsOf(canvas);
  return [
    {
      lead: [isDry ? styled("dim", open) : styled("green", done), " "],
      text: [
        isDry ? "Dry run: would add" : "Added",
        ` the ${statusWords(entry["entry_type"]) || "entry"} "${textOf(entry["title"])}" to the journal of `,
        styled("bold", textOf(data["spec_id"])),
      ],
    },
  ];
}

/** Shows completed tasks that have no journal entry. */
export function unjournaledView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const tasks = recordsOf(data["unjournaled_tasks"]);
  if (tasks.length === 0) return [line("Every completed task has an entry in the journal.")];
  return [
    ...tasks.map(
      (task): Line => ({
        lead: [glyphsOf(canvas).bullet, " "],
        text: named(task["task_id"], task["title"]),
      }),
    ),
    ...countLine(tasks.length, data, "tasks"),
  ];
}
