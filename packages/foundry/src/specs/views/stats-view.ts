import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type Canvas,
  fields,
  type Line,
  line,
  numberOf,
  percent,
  recordOf,
  recordsOf,
  section,
  stack,
  styled,
  textOf,
} from "@foundry-mcp/toolkit/terminal";
import { progressSpans, type Tally, tallyOf } from "./parts.ts";
import { phaseLines } from "./spec-view.ts";

/** Shows the statistics of a spec. */
export function statsView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const totals = recordOf(data["totals"]);
  const counts = recordOf(data["status_counts"]);
  const all = Object.values(counts).reduce<number>((sum, count) => sum + numberOf(count), 0);
  const count = (name: string) =>
    counts[name] === undefined
      ? undefined
      : `${textOf(counts[name])} (${percent(numberOf(counts[name]), all)})`;
  return stack(
    header(data, tallyOf(data["progress"]), canvas),
    fields(
      [
        ["Phases", textOf(totals["phases"])],
        ["Tasks", textOf(totals["tasks"])],
        ["Verifications", textOf(totals["verifications"])],
        ["Pending", count("pending")],
        ["In progress", count("in_progress")],
        ["Completed", count("completed")],
        ["Blocked", count("blocked")],
        ["Tasks per phase", textOf(data["avg_tasks_per_phase"])],
        ["Depth", textOf(data["max_depth"])],
        [
          "Size",
          data["file_size_bytes"] === undefined ? undefined : `${textOf(data["file_size_bytes"])} bytes`,
        ],
      ],
      canvas,
    ),
    phasesSection(data, canvas),
  );
}

/** Shows the progress of a spec or a node, with a line for each phase. */
export function progressView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const tally = { completed: numberOf(data["completed_tasks"]), total: numberOf(data["total_tasks"]) };
  return stack(header(data, tally, canvas), phasesSection(data, canvas));
}

function header(data: UnknownRecord, tally: Tally, canvas: Canvas): readonly Line[] {
  const id = textOf(data["spec_id"]);
  const node = textOf(data["node_id"]);
  return [
    line(styled("bold", textOf(data["title"]) || id)),
    line(styled("dim", node === "" || node === "spec-root" ? id : `${id} ${node}`)),
    line(...progressSpans(tally, canvas)),
  ];
}

function phasesSection(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const phases = recordsOf(data["phases"]).map((phase) => ({
    id: textOf(phase["phase_id"]) || textOf(phase["id"]),
    title: textOf(phase["title"]),
    status: textOf(phase["status"]),
    ...(phase["progress"] === undefined ? tallyOf(phase) : tallyOf(phase["progress"])),
  }));
  return section("Phases", phaseLines(phases, canvas));
}
