import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  age,
  type Canvas,
  type Line,
  line,
  numberOf,
  pluralize,
  recordOf,
  recordsOf,
  type Style,
  section,
  stack,
  styled,
  textOf,
  textsOf,
  wordsOf,
} from "@foundry-mcp/toolkit/terminal";
import { noChange } from "./change-view.ts";
import { countLine, groupBy, labelled } from "./parts.ts";

/** Shows revisions like `git log --oneline`. */
export function historyView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const entries = recordsOf(data["entries"]);
  if (entries.length === 0) return [line("No revisions are kept.")];
  const rows = entries.map((entry): Line => {
    const about = textsOf(entry["about"]).join(", ");
    const facts = [textOf(entry["author"]), age(textOf(entry["at"]), canvas)].filter((each) => each !== "");
    return {
      lead: [styled("yellow", textOf(entry["revision"])), " "],
      text: [
        textOf(entry["action"]),
        ...(about === "" ? [] : [" ", styled("bold", about)]),
        ...(facts.length === 0 ? [] : [styled("dim", ` (${facts.join(", ")})`)]),
      ],
      hang: ["    "],
    };
  });
  return stack(rows, countLine(entries.length, data, "revisions"));
}

/** Shows the differences between two revisions like `git diff`. */
export function diffView(data: UnknownRecord): readonly Line[] {
  return stack(
    [
      line(styled("bold", `diff ${textOf(data["spec_id"])}`)),
      line(styled("red", `--- ${textOf(data["from_revision"])}`)),
      line(styled("green", `+++ ${textOf(data["to_revision"])}`)),
    ],
    diffLines(data),
    [line(countWords(recordOf(data["changes"]), recordOf(data["journal"])))],
  );
}

/**
 * Returns the lines of a diff. Changed fields come first, below the spec or their node; removed and added
 * nodes follow.
 */
export function diffLines(data: UnknownRecord): readonly Line[] {
  const fields = recordsOf(data["fields"]);
  const byNode = groupBy(recordsOf(data["changed"]), ({ id }) => textOf(id));
  return stack(
    fields.length === 0 ? [] : section("the spec", fields.flatMap(changeLines)),
    ...[...byNode].map(([id, changes]) => section(id, changes.flatMap(changeLines))),
    [
      ...recordsOf(data["removed"]).map((node) => nodeLine("-", "red", node)),
      ...recordsOf(data["added"]).map((node) => nodeLine("+", "green", node)),
    ],
  );
}

function changeLines({ field, before, after }: UnknownRecord): readonly Line[] {
  const toLine = (sign: string, style: Style, value: unknown): readonly Line[] =>
    value === undefined
      ? []
      : [{ lead: [styled(style, `${sign} `)], text: [styled(style, `${textOf(field)}: ${wordsOf(value)}`)] }];
  return [...toLine("-", "red", before), ...toLine("+", "green", after)];
}

function nodeLine(sign: string, style: Style, { id, title, type, parent }: UnknownRecord): Line {
  const facts = [textOf(type), textOf(parent) === "" ? "" : `in ${textOf(parent)}`].filter(
    (each) => each !== "",
  );
  return {
    lead: [styled(style, `${sign} `)],
    text: [
      styled(style, `${textOf(id)} ${textOf(title)}`),
      ...(facts.length === 0 ? [] : [styled("dim", ` (${facts.join(", ")})`)]),
    ],
  };
}

function countWords(counts: UnknownRecord, journal: UnknownRecord): string {
  const count = (name: string, noun: string, what: string) => {
    const number = numberOf(counts[name]);
    return number === 0 ? [] : [`${pluralize(number, noun)} ${what}`];
  };
  const entries = numberOf(journal["added"]);
  const words = [
    ...count("added", "node", "added"),
    ...count("removed", "node", "removed"),
    ...count("changed", "field", "of nodes changed"),
    ...count("fields", "field", "of the spec changed"),
    ...(entries === 0 ? [] : [`${pluralize(entries, "journal entry", "journal entries")} added`]),
  ];
  return words.length === 0 ? "No differences." : `${words.join(", ")}.`;
}

/** Shows the result of a rollback. */
export function rollbackView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const isDry = data["dry_run"] === true;
  const id = textOf(data["spec_id"]);
  const [from, to] = [textOf(data["from_revision"]), textOf(data["to_revision"])];
  if (hashIn(from) === hashIn(to))
    return [noChange(canvas, [styled("bold", id), ` already has the text of revision ${to}`])];
  return [
    line(
      isDry ? "Dry run: would restore " : "Restored ",
      styled("bold", id),
      ` from ${from} to ${to}`,
      isDry ? "" : `; it is now revision ${textOf(data["revision"])}`,
    ),
    line(countWords(recordOf(data["changes"]), {})),
    ...(isDry || id === ""
      ? []
      : labelled("Take it back:", ["specs", "rollback", id, from, "--confirm"], canvas)),
  ];
}

/** Returns the hash of the text in a revision, such as `12-3fa9c1d2`. Revisions with the same text have the same hash. */
const hashIn = (revision: string) => revision.slice(revision.indexOf("-") + 1);
