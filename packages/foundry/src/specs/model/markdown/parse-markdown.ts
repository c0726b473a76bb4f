import type { Draft, DraftNode, DraftNote, Loss } from "./draft.ts";
import { findField, noteFields, specFields } from "./fields.ts";
import { fromInline } from "./inline-text.ts";
import { type Block, type Heading, readBlocks } from "./read-blocks.ts";
import { readContent, type TextPart } from "./read-content.ts";
import { readFrontMatter } from "./read-front-matter.ts";
import { isBlankLine, readLines } from "./read-lines.ts";
import { readMark } from "./read-mark.ts";
import { readNotes } from "./read-notes.ts";
import { isTaskItem, lose, type Reading, tableWarning } from "./reading.ts";
import { type Section, takeTitle, toSections } from "./sections.ts";
import { fieldsOf } from "./to-draft.ts";

/** What a document says of a spec, and what of it has no place in one. */
export interface Parsed {
  readonly draft: Draft;
  /** By line. */
  readonly losses: readonly Loss[];
}

/** Reads a document: one that `toMarkdown` wrote, or one that a person wrote by hand. */
export function parseMarkdown(text: string): Parsed {
  const lines = readLines(text);
  const losses: Loss[] = [];
  const front = readFrontMatter(lines, losses);
  const { title, preamble, sections } = takeTitle(toSections(readBlocks(lines, front.end), lines.length));
  const reading: Reading = { lines, losses, isPlain: !hasTasks(preamble) && !sections.some(hasMarks) };
  const notes: Record<string, readonly DraftNote[]> = { ...front.notes };
  const prose: TextPart[] = [];
  const nodes: DraftNode[] = [];
  for (const section of sections) {
    const note = noteOf(section);
    if (note !== undefined) {
      const found = readNotes(reading, note, section.blocks);
      if (found.length > 0) notes[note.key] = [...(notes[note.key] ?? []), ...found];
    } else if (isWork(reading, section)) nodes.push(readSection(reading, section, true));
    else prose.push(toProse(reading, section));
  }
  const content = readContent(reading, preamble, specFields, { isSection: true, more: prose });
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
      title: (title && readTitle(reading, title)) ?? front.title,
      fields: { ...front.fields, ...content.fields },
      notes,
      nodes: [...loose, ...nodes],
    },
    losses: losses.toSorted((a, b) => a.line - b.line),
  };
}

/** A phase, or below one a group. */
function readSection(reading: Reading, section: Section, isTop: boolean): DraftNode {
  const { heading, blocks, sections } = section;
  const { title, id, type, status, unknownBox, unknownType } = readMark(heading.text, { withWords: false });
  if (unknownBox !== undefined)
    lose(reading, heading.from, `${unknownBox} is no box that has a meaning here`);
  if (unknownType !== undefined) lose(reading, heading.from, `.${unknownType} is no type of work`);
  const isPhase = isTop && (type === undefined || type === "phase");
  if (status !== undefined && status !== "pending" && (isPhase || !isTop))
    lose(reading, heading.from, "Where it stands follows from its tasks: the box is left out");
  const [below, prose] = [
    sections.filter((each) => isWork(reading, each)),
    sections.filter((each) => !isWork(reading, each)).map((each) => toProse(reading, each)),
  ];
  const fields = fieldsOf(isPhase ? "phase" : "task");
  const content = readContent(reading, blocks, fields, { isSection: true, more: prose });
  return {
    line: heading.from + 1,
    id,
    type: isTop ? type : (type ?? "group"),
    title: title === "" && id === undefined ? "Untitled" : title,
    status: isPhase || !isTop ? undefined : status,
    fields: content.fields,
    children: [...content.nodes, ...below.map((each) => readSection(reading, each, false))],
  };
}

/** Some titles name a list of notes; below one there are no further sections. */
function noteOf({ heading, sections }: Section) {
  const { title, id } = readMark(heading.text, { withWords: false });
  return id === undefined && sections.length === 0 ? findField(noteFields, title) : undefined;
}

const phaseLike = /^(?:phase|milestone|step|stage|sprint|part|iteration|epic|week|day)\b/i;

/** A section with tasks, or one that says that it is a phase. Of any other the text is a part of the description. */
function isWork(reading: Reading, section: Section): boolean {
  const { heading, blocks, sections } = section;
  if (phaseLike.test(heading.text) || readMark(heading.text, { withWords: false }).id !== undefined)
    return true;
  const isTask = (block: Block) => (reading.isPlain ? block.kind === "item" : isTaskItem(block));
  return blocks.some(isTask) || sections.some((each) => isWork(reading, each));
}

function toProse(reading: Reading, { heading, blocks, sections, to: end }: Section): TextPart {
  const { lines } = reading;
  let to = end;
  while (isBlankLine(lines[to - 1] ?? ".")) to -= 1;
  const tables = [...blocks, ...sections.flatMap((each) => each.blocks)].filter(
    ({ kind }) => kind === "table",
  );
  for (const { from } of tables) lose(reading, from, tableWarning);
  return { from: heading.from, to, text: fromInline(lines.slice(heading.from, to).join("\n")) };
}

/** A title is nothing but a title. */
function readTitle(reading: Reading, { text, from }: Heading): string | undefined {
  const { title, id, type, unknownType, status } = readMark(text, { withWords: false });
  if ((id ?? type ?? unknownType ?? status) !== undefined)
    lose(reading, from, "The title of a spec has neither a box nor an id: they are left out");
  return title || undefined;
}

function hasMarks(section: Section): boolean {
  return noteOf(section) === undefined && (hasTasks(section.blocks) || section.sections.some(hasMarks));
}

function hasTasks(blocks: readonly Block[]): boolean {
  return blocks.some(isTaskItem);
}
