import type { Draft, DraftNode, DraftNote } from "./draft.ts";
import { unescapeInline } from "./escape-text.ts";
import { fieldsOfType, findField, noteFields, specFields } from "./fields.ts";
import type { Loss } from "./import-report.ts";
import { isBlankLine, splitLines } from "./lines.ts";
import { type Block, type Heading, parseBlocks } from "./parse-blocks.ts";
import { parseContent } from "./parse-content.ts";
import { isTaskItem, type ParseContext, reportLoss, type TextRange, tableWarning } from "./parse-context.ts";
import { parseNotes } from "./parse-field.ts";
import { parseFrontMatter } from "./parse-front-matter.ts";
import { parseTaskMarker } from "./parse-task-marker.ts";
import { type Section, takeTitle, toSections } from "./sections.ts";

/** A parsed document, and the parts of the document that a spec cannot store. */
export interface ParsedMarkdown {
  readonly draft: Draft;
  /** The parts of the document that were lost, sorted by line. */
  readonly losses: readonly Loss[];
}

/** Parses a document that `toMarkdown` or a person wrote. */
export function parseMarkdown(text: string): ParsedMarkdown {
  const lines = splitLines(text);
  const losses: Loss[] = [];
  const front = parseFrontMatter(lines, losses);
  const { title, preamble, sections } = takeTitle(toSections(parseBlocks(lines, front.end), lines.length));
  const context: ParseContext = {
    lines,
    losses,
    isPlain: !preamble.some(isTaskItem) && !sections.some(containsTasks),
  };
  const notes: Record<string, readonly DraftNote[]> = { ...front.notes };
  const prose: TextRange[] = [];
  const nodes: DraftNode[] = [];
  for (const section of sections) {
    const note = noteFieldOf(section);
    if (note !== undefined) {
      const found = parseNotes(context, note, section.blocks);
      if (found.length > 0) notes[note.key] = [...(notes[note.key] ?? []), ...found];
    } else if (isPhaseOrGroup(context, section)) nodes.push(parseSection(context, section, true));
    else prose.push(toProse(context, section));
  }
  const content = parseContent(context, preamble, specFields, { isSection: true, more: prose });
  const [first] = content.nodes;
  const looseTasks: readonly DraftNode[] =
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
      title: (title && parseTitle(context, title)) ?? front.title,
      fields: { ...front.fields, ...content.fields },
      notes,
      nodes: [...looseTasks, ...nodes],
    },
    losses: losses.toSorted((a, b) => a.line - b.line),
  };
}

/** Parses a section as a phase. A section below a phase is parsed as a group. */
function parseSection(context: ParseContext, section: Section, isTop: boolean): DraftNode {
  const { heading, blocks, sections } = section;
  const { title, id, type, status, unknownCheckbox, unknownType } = parseTaskMarker(heading.text, {
    withKeywords: false,
  });
  if (unknownCheckbox !== undefined)
    reportLoss(context, heading.from, `${unknownCheckbox} is not a known checkbox`);
  if (unknownType !== undefined)
    reportLoss(context, heading.from, `.${unknownType} is not a known task type`);
  const isPhase = isTop && (type === undefined || type === "phase");
  if (status !== undefined && status !== "pending" && (isPhase || !isTop))
    reportLoss(context, heading.from, "Its status is derived from its tasks, so the checkbox is ignored");
  const [below, prose] = [
    sections.filter((each) => isPhaseOrGroup(context, each)),
    sections.filter((each) => !isPhaseOrGroup(context, each)).map((each) => toProse(context, each)),
  ];
  const fields = fieldsOfType(isPhase ? "phase" : "task");
  const content = parseContent(context, blocks, fields, { isSection: true, more: prose });
  return {
    line: heading.from + 1,
    id,
    type: isTop ? type : (type ?? "group"),
    title: title === "" && id === undefined ? "Untitled" : title,
    status: isPhase || !isTop ? undefined : status,
    fields: content.fields,
    children: [...content.nodes, ...below.map((each) => parseSection(context, each, false))],
  };
}

/**
 * Returns the note field that the title of a section names; undefined for a section that has an id or
 * subsections.
 */
function noteFieldOf({ heading, sections }: Section) {
  const { title, id } = parseTaskMarker(heading.text, { withKeywords: false });
  return id === undefined && sections.length === 0 ? findField(noteFields, title) : undefined;
}

const phaseHeading = /^(?:phase|milestone|step|stage|sprint|part|iteration|epic|week|day)\b/i;

/**
 * True for a section that has an id, tasks or a heading such as "Phase 1". All other sections become part of
 * the description.
 */
function isPhaseOrGroup(context: ParseContext, section: Section): boolean {
  const { heading, blocks, sections } = section;
  const { id } = parseTaskMarker(heading.text, { withKeywords: false });
  if (id !== undefined || phaseHeading.test(heading.text)) return true;
  const isTask = (block: Block) => (context.isPlain ? block.kind === "item" : isTaskItem(block));
  return blocks.some(isTask) || sections.some((each) => isPhaseOrGroup(context, each));
}

function toProse(context: ParseContext, { heading, blocks, sections, to: end }: Section): TextRange {
  const { lines } = context;
  let to = end;
  while (isBlankLine(lines[to - 1] ?? ".")) to -= 1;
  for (const { kind, from } of [...blocks, ...sections.flatMap((each) => each.blocks)])
    if (kind === "table") reportLoss(context, from, tableWarning);
  return { from: heading.from, to, text: unescapeInline(lines.slice(heading.from, to).join("\n")) };
}

/** Parses the title of the spec. A title has no checkbox and no attributes. */
function parseTitle(context: ParseContext, { text, from }: Heading): string | undefined {
  const { title, id, type, unknownType, status } = parseTaskMarker(text, { withKeywords: false });
  if ((id ?? type ?? unknownType ?? status) !== undefined)
    reportLoss(context, from, "The title of a spec has no checkbox and no id, so they are ignored");
  return title || undefined;
}

function containsTasks(section: Section): boolean {
  return (
    noteFieldOf(section) === undefined &&
    (section.blocks.some(isTaskItem) || section.sections.some(containsTasks))
  );
}
