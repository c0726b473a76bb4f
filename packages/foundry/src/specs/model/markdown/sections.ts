import { isSpace, trimSpaces } from "./escape-text.ts";
import type { Block, Heading } from "./parse-blocks.ts";

/** A heading with what is below it. */
export interface Section {
  readonly heading: Heading;
  readonly blocks: Block[];
  readonly sections: Section[];
  /** The line behind it and all below it. */
  to: number;
}

/** The parts of a document by their headings, as they are nested. */
export interface Sections {
  /** Before the first heading. */
  readonly preamble: Block[];
  readonly sections: Section[];
}

/** Sorts blocks by the headings above them. */
export function toSections(blocks: readonly Block[], end: number): Sections {
  const preamble: Block[] = [];
  const sections: Section[] = [];
  const open: Section[] = [];
  const leave = (level: number, to: number) => {
    for (let last = open.at(-1); last !== undefined && last.heading.level >= level; last = open.at(-1)) {
      last.to = to;
      open.pop();
    }
  };
  for (const block of blocks) {
    if (block.kind !== "heading") {
      (open.at(-1)?.blocks ?? preamble).push(block);
      continue;
    }
    leave(block.level, block.from);
    const section = {
      heading: { ...block, text: withoutClosing(block.text) },
      blocks: [],
      sections: [],
      to: end,
    };
    (open.at(-1)?.sections ?? sections).push(section);
    open.push(section);
  }
  return { preamble, sections };
}

/** Takes the title off a document: the first heading, where it is above all others. */
export function takeTitle({
  preamble,
  sections,
}: Sections): Sections & { readonly title: Heading | undefined } {
  const [first, ...others] = sections;
  const isTitle = first?.heading.level === 1 && (others.length === 0 || !hasListItems(first));
  if (first === undefined || !isTitle) return { title: undefined, preamble, sections };
  return {
    title: first.heading,
    preamble: [...preamble, ...first.blocks],
    sections: [...first.sections, ...others],
  };
}

/** In a document of several first-level headings, the first is a phase too where it has tasks of its own. */
function hasListItems({ blocks }: Section): boolean {
  return blocks.some(({ kind }) => kind === "item");
}

/** Without the marks that may close a heading: `## Title ##`. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end -= 1;
  if (end === text.length || (end > 0 && !isSpace(text, end - 1))) return text;
  return trimSpaces(text.slice(0, end));
}
