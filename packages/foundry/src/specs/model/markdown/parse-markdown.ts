import type { Draft, DraftNode, DraftNote, Loss } from "./draft.ts";
import { unescapeInline } from "./escape-text.ts";
import { findField, noteFields, specFields } from "./fields.ts";
import { isBlankLine, splitLines } from "./lines.ts";
import { type Block, type Heading, parseBlocks } from "./parse-blocks.ts";
import { parseContent, type TextRange } from "./parse-content.ts";
import { isTaskItem, type ParseContext, reportLoss, tableWarning } from "./parse-context.ts";
import { parseFrontMatter } from "./parse-front-matter.ts";
import { parseTaskMarker } from "./parse-task-marker.ts";
import { parseNotes } from "./read-notes.ts";
import { type Section, takeTitle, toSections } from "./sections.ts";
import { fieldsOfType } from "./to-draft.ts";

/** What a document says of a spec, and what of it has no place in one. */
export interface ParsedMarkdown {
  readonly draft: Draft;
  /** By line. */
  readonly losses: readonly Loss[];
}

/** Reads a document: one that `toMarkdown` wrote, or one that a person wrote by hand. */
export function parseMarkdown(text: string): ParsedMarkdown {
  const lines = splitLines(text);
  const losses: Loss[] = [];
  const front = parseFrontMatter(lines, losses);
  const { title, preamble, sections } = takeTitle(toSections(parseBlocks(lines, front.end), lines.length));
  const reading: ParseContext = { lines, losses, isPlain: !hasTasks(preamble) && !sections.some(hasMarks) };
  const notes: Record<string, readonly DraftNote[]> = { ...front.notes };
  const prose: TextRange[] = [];
  const nodes: DraftNode[] = [];
  for (const section of sections) {
    const note = noteOf(section);
    if (note !== undefined) {
      const found = parseNotes(reading, note, section.blocks);
      if (found.length > 0) notes[note.key] = [...(notes[note.key] ?? []), ...found];
    } else if (isPhaseOrGroup(reading, section)) nodes.push(parseSection(reading, section, true));
    else prose.push(toProse(reading, section));
  }
  const content = parseContent(reading, preamble, specFields, { isSection: true, more: prose });
  const [first] = content.nodes;
  const loose: readonly DraftNode[] =
    first === undefined
      ? []
      : [
          {
            line: first.line,
            id: undefined,
            type: undefined,
            title: "Tasks",
            status: undefined,
            fields: {},
            children: content.nodes,
          },
        ];
  return {
    draft: {
      specId: front.specId,
      title: (title && parseTitle(reading, title)) ?? front.title,
      fields: { ...front.fields, ...content.fields },
      notes,
      nodes: [...loose, ...nodes],
    },
    losses: losses.toSorted((a, b) => a.line - b.line),
  };
}

/** A phase, or below one a group. */
function parseSection(reading: ParseContext, section: Section, isTop: boolean): DraftNode {
  const { heading, blocks, sections } = section;
  const { title, id, type, status, unknownCheckbox, unknownType } = parseTaskMarker(heading.text, {
    withWords: false,
  });
  if (unknownCheckbox !== undefined)
    reportLoss(reading, heading.from, `${unknownCheckbox} is no box that has a meaning here`);
  if (unknownType !== undefined) reportLoss(reading, heading.from, `.${unknownType} is no type of work`);
  const isPhase = isTop && (type === undefined || type === "phase");
  if (status !== undefined && status !== "pending" && (isPhase || !isTop))
    reportLoss(reading, heading.from, "Where it stands follows from its tasks: the box is left out");
  const [below, prose] = [
    sections.filter((each) => isPhaseOrGroup(reading, each)),
    sections.filter((each) => !isPhaseOrGroup(reading, each)).map((each) => toProse(reading, each)),
  ];
  const fields = fieldsOfType(isPhase ? "phase" : "task");
  const content = parseContent(reading, blocks, fields, { isSection: true, more: prose });
  return {
    line: heading.from + 1,
    id,
    type: isTop ? type : (type ?? "group"),
    title: title === "" && id === undefined ? "Untitled" : title,
    status: isPhase || !isTop ? undefined : status,
    fields: content.fields,
    children: [...content.nodes, ...below.map((each) => parseSection(reading, each, false))],
  };
}

/** Some titles name a list of notes; below one there are no further sections. */
function noteOf({ heading, sections }: Section) {
  const { title, id } = parseTaskMarker(heading.text, { withWords: false });
  return id === undefined && sections.length === 0 ? findField(noteFields, title) : undefined;
}

const phaseLike = /^(?:phase|milestone|step|stage|sprint|part|iteration|epic|week|day)\b/i;

/** A section with tasks, or one that says that it is a phase. Of any other the text is a part of the description. */
function isPhaseOrGroup(reading: ParseContext, section: Section): boolean {
  const { heading, blocks, sections } = section;
  if (phaseLike.test(heading.text) || parseTaskMarker(heading.text, { withWords: false }).id !== undefined)
    return true;
  const isTask = (block: Block) => (reading.isPlain ? block.kind === "item" : isTaskItem(block));
  return blocks.some(isTask) || sections.some((each) => isPhaseOrGroup(reading, each));
}

function toProse(reading: ParseContext, { heading, blocks, sections, to: end }: Section): TextRange {
  const { lines } = reading;
  let to = end;
  while (isBlankLine(lines[to - 1] ?? ".")) to -= 1;
  const tables = [...blocks, ...sections.flatMap((each) => each.blocks)].filter(
    ({ kind }) => kind === "table",
  );
  for (const { from } of tables) reportLoss(reading, from, tableWarning);
  return { from: heading.from, to, text: unescapeInline(lines.slice(heading.from, to).join("\n")) };
}

/** A title is nothing but a title. */
function parseTitle(reading: ParseContext, { text, from }: Heading): string | undefined {
  const { title, id, type, unknownType, status } = parseTaskMarker(text, { withWords: false });
  if ((id ?? type ?? unknownType ?? status) !== undefined)
    reportLoss(reading, from, "The title of a spec has neither a box nor an id: they are left out");
  return title || undefined;
}

function hasMarks(section: Section): boolean {
  return noteOf(section) === undefined && (hasTasks(section.blocks) || section.sections.some(hasMarks));
}

function hasTasks(blocks: readonly Block[]): boolean {
  return blocks.some(isTaskItem);
}
