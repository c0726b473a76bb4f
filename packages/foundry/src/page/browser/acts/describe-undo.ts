import type { UnknownRecord } from "@foundry-mcp/contract";
import { toList, toRecord, toText } from "../api/envelope.ts";
import { quoted } from "../parts/quoted.ts";

/**
 * Describes the change that an undo reverted. An undo of an undo is a redo, and an undo of a redo is an undo again.
 */
export function describeUndo(
  data: UnknownRecord,
  redone: ReadonlySet<string>,
): { readonly isRedo: boolean; readonly text: string } {
  const { action, nodes } = toRecord(data["undone"]);
  const isOfUndo = action === "spec undo";
  const isRedo = isOfUndo && !redone.has(toText(data["from_revision"]));
  const [title] = toList(nodes).map((node) => toText(toRecord(node)["title"]));
  const act = isOfUndo ? "" : toText(action);
  const named = title === undefined || title === "" ? "" : quoted(title);
  const what = [act, named].filter((text) => text !== "").join(" ");
  return { isRedo, text: `${isRedo ? "Redone" : "Undone"}: ${what === "" ? "the last change" : what}` };
}
