import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type Canvas,
  indent,
  type Line,
  line,
  recordOf,
  recordsOf,
  styled,
  textOf,
} from "@foundry-mcp/toolkit/terminal";
import { labelled } from "./parts.ts";
import { changed, specName } from "./spec-change-view.ts";

/** Shows the change that was undone, and the state of the spec. */
export function undoView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const undone = recordOf(data["undone"]);
  const action = textOf(undone["action"]) || "the last change";
  const nodes = recordsOf(undone["nodes"]);
  const title = nodes.length === 1 ? textOf(nodes[0]?.["title"]) : "";
  const about = [
    nodes.length === 0 ? "" : " ",
    styled("bold", nodes.map(({ id }) => textOf(id)).join(", ")),
    title === "" ? "" : ` "${title}"`,
  ];
  // To undo an undo is to make the change again.
  const isRedo = action === "spec undo";
  const done = isRedo ? "Made again:" : "Undid:";
  const would = isRedo ? "make again:" : "undo:";
  return [
    changed(data, canvas, done, would, isRedo ? ["the change that was undone"] : [action, ...about]),
    ...indent([line(specName(data), ` is as at revision ${textOf(data["to_revision"])}`)]),
  ];
}

/** Shows a spec that was moved to the trash, and the command that restores it. */
export function deleteView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const id = textOf(data["spec_id"]);
  const back =
    id === "" || data["dry_run"] === true
      ? []
      : labelled("bring it back:", ["specs", "restore", id], canvas, 2);
  return [
    changed(data, canvas, "Moved", "move", [
      specName(data),
      ` from ${textOf(data["from_folder"])} to the trash`,
    ]),
    ...indent(back),
  ];
}

/** Shows a spec that was restored from the trash. */
export function restoreView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  return [changed(data, canvas, "Restored", "restore", [specName(data), ` to ${textOf(data["status"])}`])];
}
