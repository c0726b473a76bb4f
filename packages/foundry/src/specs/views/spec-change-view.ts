import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type Canvas,
  fields,
  glyphsOf,
  indent,
  type Line,
  line,
  list,
  numberOf,
  pluralize,
  recordOf,
  recordsOf,
  type Span,
  section,
  stack,
  styled,
  textOf,
  textsOf,
  wordsOf,
} from "@foundry-mcp/toolkit/terminal";
import { noChange } from "./change-view.ts";
import { diffLines } from "./history-view.ts";
import {
  countLine,
  groupBy,
  labelled,
  named,
  nextCommands,
  progressSpans,
  progressWords,
  tallyOf,
} from "./parts.ts";

/** Returns the only line of the view of a change. */
export function changed(
  data: UnknownRecord,
  canvas: Canvas,
  done: string,
  would: string,
  text: readonly Span[],
): Line {
  if (data["changed"] === false) return noChange(canvas, [specName(data)]);
  const isDry = data["dry_run"] === true;
  const glyphs = glyphsOf(canvas);
  return {
    lead: [isDry ? styled("dim", glyphs.open) : styled("green", glyphs.done), " "],
    text: [isDry ? `Dry run: would ${would} ` : `${done} `, ...text],
  };
}

/** Returns the id of the changed spec. */
export const specName = (data: UnknownRecord): Span => styled("bold", textOf(data["spec_id"]));

/** Shows a spec that was moved to another folder. */
export function moveSpecView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const [from, to] = [textOf(data["from_folder"]), textOf(data["to_folder"])];
  const progress = data["progress"] === undefined ? "" : ` - ${progressWords(tallyOf(data["progress"]))}`;
  if (from === to && from !== "") return [line(specName(data), ` is in ${to} already${progress}`)];
  return [changed(data, canvas, "Moved", "move", [specName(data), ` from ${from} to ${to}${progress}`])];
}

/** Shows the folder of a spec, and the folders to which the spec can be moved. */
export function specStateView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const id = textOf(data["spec_id"]);
  const tally = tallyOf(data["progress"]);
  return stack(
    [line(styled("bold", textOf(data["title"]) || id)), line(styled("dim", id))],
    fields(
      [
        ["Folder", textOf(data["folder"]) || textOf(data["status"])],
        ["Progress", progressSpans(tally, canvas)],
        ["Can move to", textsOf(data["allowed"]).join(", ")],
      ],
      canvas,
    ),
    data["can_complete"] === true ? nextCommands(canvas, ["lifecycle", "complete", id]) : [],
  );
}

/** Shows a new spec. */
export function createSpecView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const id = textOf(data["spec_id"]);
  const isActive = data["status"] === "active";
  return stack(
    [
      changed(data, canvas, "Created", "create", [
        specName(data),
        textOf(data["title"]) === "" ? "" : ` "${textOf(data["title"])}"`,
        textOf(data["status"]) === "" ? "" : ` in ${textOf(data["status"])}`,
      ]),
      ...indent(nodeLines(data["created_nodes"])),
    ],
    data["dry_run"] === true
      ? []
      : nextCommands(
          canvas,
          ["modify", "add-phase", id, "--title", "TITLE"],
          ...(isActive ? [] : [["lifecycle", "activate", id]]),
        ),
  );
}

function nodeLines(nodes: unknown): readonly Line[] {
  return recordsOf(nodes).map((node) => ({
    lead: [styled("green", "+ ")],
    text: named(node["id"], node["title"]),
  }));
}

/** Shows the nodes that an import created and changed. */
export function importView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  return importedLines(data, canvas, ["Imported into", "import into"]);
}

/** Shows the nodes that an edit changed, and the command that undoes the edit. */
export function editView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const id = textOf(data["spec_id"]);
  const undo = isUnchanged(data) || id === "" ? [] : indent(labelled("undo:", ["undo", id], canvas, 2));
  return importedLines(data, canvas, ["Edited", "edit"], undo);
}

/** True if an import changed nothing in an existing spec. */
function isUnchanged(data: UnknownRecord): boolean {
  const isNone = (key: string) => !Array.isArray(data[key]) || data[key].length === 0;
  return data["created"] !== true && ["created_nodes", "added", "changed", "removed"].every(isNone);
}

function importedLines(
  data: UnknownRecord,
  canvas: Canvas,
  [done, would]: readonly [string, string],
  undo: readonly Line[] = [],
): readonly Line[] {
  const isNew = data["created"] === true;
  const losses = Array.isArray(data["losses"]) ? (data["losses"] as readonly unknown[]).map(wordsOf) : [];
  const created = recordsOf(data["created_nodes"]);
  const [changes, removed] = [idsOf(data["changed"]), idsOf(data["removed"])];
  const { diff } = data;
  const title = isUnchanged(data)
    ? line("Nothing was changed in ", specName(data))
    : changed(data, canvas, isNew ? "Created" : done, isNew ? "create" : would, [specName(data)]);
  return stack(
    [
      title,
      ...(diff === undefined
        ? indent([
            ...nodeLines(created),
            ...changes.map((id): Line => ({ lead: [styled("yellow", "~ ")], text: [id] })),
            ...removed.map((id): Line => ({ lead: [styled("red", "- ")], text: [id] })),
          ])
        : []),
      ...undo,
    ],
    diff === undefined ? [] : diffLines(recordOf(diff)),
    section("Not imported", list(losses, canvas)),
    data["dry_run"] === true || isUnchanged(data)
      ? []
      : nextCommands(canvas, ["specs", "get", textOf(data["spec_id"])]),
  );
}

/** Returns the ids in a list of ids or of objects. */
function idsOf(value: unknown): readonly string[] {
  return [...textsOf(value), ...recordsOf(value).map((each) => textOf(each["id"]) || wordsOf(each))];
}

/** Shows the fields of a spec that were changed. */
export function updateSpecView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const names = textsOf(data["fields_updated"]).join(", ");
  return [changed(data, canvas, "Updated", "update", [specName(data), names === "" ? "" : `: ${names}`])];
}

/** Shows the texts that were replaced. */
export function replaceView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const count = numberOf(data["total_replacements"]);
  const byNode = groupBy(recordsOf(data["changes"]), ({ node_id }) => textOf(node_id));
  return stack(
    [
      changed(data, canvas, "Replaced", "replace", [
        `${pluralize(count, "text")} in ${pluralize(numberOf(data["nodes_affected"]), "node")} of `,
        specName(data),
      ]),
    ],
    ...[...byNode].map(([id, changes]) =>
      section(
        id,
        changes.flatMap(({ field, before, after }): readonly Line[] => [
          { lead: [styled("red", "- ")], text: [styled("red", `${textOf(field)}: ${wordsOf(before)}`)] },
          { lead: [styled("green", "+ ")], text: [styled("green", `${textOf(field)}: ${wordsOf(after)}`)] },
        ]),
      ),
    ),
  );
}

/** Shows the number of applied operations, and the nodes that they created. */
export function applyView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const count = pluralize(numberOf(data["applied"]), "change");
  return [
    changed(data, canvas, "Applied", "apply", [`${count} to `, specName(data)]),
    ...indent(nodeLines(data["created_nodes"])),
  ];
}

/** Shows the note that was added. */
export function addNoteView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const text = textOf(recordOf(data["note"])["text"]);
  return [
    changed(data, canvas, "Added", "add", [
      `the ${textOf(data["kind"])}${text === "" ? "" : ` "${text}"`} to `,
      specName(data),
    ]),
  ];
}

/** Shows notes, grouped by kind. */
export function noteListView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const notes = recordsOf(data["notes"]);
  if (notes.length === 0) return [line("No notes.")];
  return stack(
    ...[...groupBy(notes, ({ kind }) => textOf(kind))].map(([kind, own]) =>
      section(
        kind,
        list(
          own.map(({ kind: _, index: __, text, ...facts }) =>
            Object.keys(facts).length === 0 ? textOf(text) : `${textOf(text)} (${wordsOf(facts)})`,
          ),
          canvas,
        ),
      ),
    ),
    countLine(notes.length, data, "notes"),
  );
}

/** Shows the place where a spec is stored. */
export function locateView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const id = textOf(data["spec_id"]);
  if (data["found"] !== true)
    return [line("No spec ", styled("bold", id), "."), ...labelled("List them:", ["specs", "list"], canvas)];
  return [line(styled("bold", id), ` is in ${textOf(data["status"])}: `, textOf(data["path"]))];
}
