import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  age,
  type Canvas,
  fields,
  indent,
  type Line,
  line,
  list,
  numberOf,
  prose,
  recordOf,
  recordsOf,
  section,
  stack,
  styled,
  table,
  textOf,
  textsOf,
  wordsOf,
} from "@foundry-mcp/toolkit/terminal";
import { named, nextCommands, progressBar, progressSpans, statusMark, type Tally, tallyOf } from "./parts.ts";

/** Shows a spec: its header, its phases with progress bars, and its notes. */
export function specView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const spec = recordOf(data["spec"]);
  const metadata = recordOf(spec["metadata"]);
  const id = textOf(data["spec_id"]) || textOf(spec["id"]);
  const tally = tallyOf(spec["progress"]);
  const { mission, description, owner, priority, labels } = metadata;
  return stack(
    [line(styled("bold", textOf(spec["title"]) || id)), line(styled("dim", id))],
    fields(
      [
        ["Folder", textOf(spec["status"])],
        ["Progress", progressSpans(tally, canvas)],
        ["Mission", toProse(mission)],
        ["About", toProse(description)],
        ["Priority", textOf(priority)],
        ["Owner", textOf(owner)],
        ["Labels", textsOf(labels).join(", ")],
        ["Updated", age(textOf(spec["last_updated"]), canvas)],
        ["Revision", textOf(data["revision"])],
      ],
      canvas,
    ),
    section("Phases", phaseLines(phasesOf(recordOf(data["hierarchy"])), canvas)),
    ...noteSections(metadata, canvas),
    nextCommands(canvas, ["tasks", "next", id], ["tasks", "hierarchy", id]),
  );
}

const toProse = (value: unknown) => (textOf(value).trim() === "" ? undefined : prose(textOf(value)));

/** A phase with its progress. */
export interface ShownPhase extends Tally {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

/** Returns the phases of a hierarchy in their order. */
function phasesOf(hierarchy: UnknownRecord): readonly ShownPhase[] {
  const root = recordOf(hierarchy["spec-root"]);
  return textsOf(root["children"]).flatMap((id) => {
    const node = recordOf(Object.hasOwn(hierarchy, id) ? hierarchy[id] : undefined);
    const tally = { completed: numberOf(node["completed_tasks"]), total: numberOf(node["total_tasks"]) };
    return [{ id, title: textOf(node["title"]), status: textOf(node["status"]), ...tally }];
  });
}

/**
 * Returns a line for every phase. The line contains the sign of the status, the id, the title, a progress bar
 * and the percentage.
 */
export function phaseLines(phases: readonly ShownPhase[], canvas: Canvas): readonly Line[] {
  const rows = phases.map((phase) => [
    [statusMark(phase.status, canvas)],
    [styled("bold", phase.id)],
    [phase.title],
    progressBar(phase, canvas),
    [styled("dim", `${phase.completed} of ${phase.total}`)],
  ]);
  const columns = [{ head: "" }, { head: "" }, { head: "", isProse: true }, { head: "" }, { head: "" }];
  const lines = table(columns, rows, canvas, { indent: 2, hasHeads: false });
  if (lines !== undefined) return lines;
  return phases.flatMap((phase) => [
    { lead: [statusMark(phase.status, canvas), " "], text: named(phase.id, phase.title) },
    ...indent([{ text: progressBar(phase, canvas) }]),
  ]);
}

const noteTitles: Readonly<Record<string, string>> = {
  open_questions: "Open questions",
  risks: "Risks",
  constraints: "Constraints",
  assumptions: "Assumptions",
  success_criteria: "Success criteria",
  objectives: "Objectives",
};

/** Returns the notes of a spec, grouped by kind. */
export function noteSections(metadata: UnknownRecord, canvas: Canvas): readonly (readonly Line[])[] {
  return Object.entries(noteTitles).map(([name, title]) =>
    section(title, list(notesOf(metadata[name]), canvas)),
  );
}

/** Returns the texts of notes. A note is a text, or an object with a text and other members. */
export function notesOf(value: unknown): readonly string[] {
  const objects = recordsOf(value).map((note) => {
    const { text, description, ...facts } = note;
    const told = textOf(text) || textOf(description);
    return told === ""
      ? wordsOf(note)
      : Object.keys(facts).length === 0
        ? told
        : `${told} (${wordsOf(facts)})`;
  });
  return [...textsOf(value), ...objects];
}
