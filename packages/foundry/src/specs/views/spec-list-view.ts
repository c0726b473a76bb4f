import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  age,
  type Canvas,
  indent,
  type Line,
  line,
  recordsOf,
  type Span,
  stack,
  styled,
  table,
  textOf,
} from "@foundry-mcp/toolkit/terminal";
import { countLine, labelled, progressBar, tallyOf } from "./parts.ts";

/** The folders in the order in which they are shown. */
const shownOrder = ["active", "pending", "completed", "archived"];

/** Shows specs, grouped by folder, each with its title, id, progress and age. */
export function specListView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const specs = recordsOf(data["specs"]);
  const { total_count: count } = data;
  const total = typeof count === "number" ? count : 0;
  if (specs.length === 0 && total > 0)
    return [line(`No specs match; there ${total === 1 ? "is" : "are"} ${total} in all.`)];
  if (specs.length === 0)
    return [line("No specs."), ...labelled("Create one:", ["specs", "create", "TITLE"], canvas)];
  const folders = [...new Set([...shownOrder, ...specs.map(({ status }) => textOf(status))])];
  const sorted = folders.flatMap((folder) => specs.filter(({ status }) => textOf(status) === folder));
  const rows = toRows(sorted, canvas);
  const groups = folders.flatMap((folder) => {
    const own = sorted.flatMap(({ status }, at) => (textOf(status) === folder ? (rows[at] ?? []) : []));
    const count = sorted.filter(({ status }) => textOf(status) === folder).length;
    return count === 0
      ? []
      : [[line(styled("bold", folder || "no folder"), styled("dim", ` ${count}`)), ...indent(own)]];
  });
  return stack(...groups, countLine(specs.length, data, "specs"));
}

/**
 * Returns the lines of each spec. A spec has one row of a table, or several lines if there is no room for a
 * table.
 */
function toRows(specs: readonly UnknownRecord[], canvas: Canvas): readonly (readonly Line[])[] {
  const columns = [{ head: "", isProse: true }, { head: "" }, { head: "" }, { head: "" }];
  const cells = specs.map((spec): (readonly Span[])[] => [
    [textOf(spec["title"]) || textOf(spec["id"])],
    [styled("bold", textOf(spec["id"]))],
    progressBar(tallyOf(spec["progress"]), canvas, 8),
    [styled("dim", age(textOf(spec["last_updated"]), canvas))],
  ]);
  const lines = table(columns, cells, canvas, { indent: 2, hasHeads: false });
  if (lines !== undefined) return lines.map((each) => [each]);
  return cells.map(([title = [], id = [], progress = [], when = []]) => [
    { text: title, hang: ["  "] },
    ...indent([{ text: id }, { text: [...progress, "  ", ...when] }]),
  ]);
}
