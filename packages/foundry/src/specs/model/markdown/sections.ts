import { isSpace, trimSpaces } from "./lines.ts";
import type { Block, Heading } from "./parse-blocks.ts";

/** A heading with the blocks and sections below it. */
export interface Section {
  readonly heading: Heading;
  readonly blocks: Block[];
  readonly sections: Section[];
  /** The index of the line after the section and its subsections. */
  to: number;
}

/** A document as a tree of sections. */
export interface Sections {
  /** The blocks before the first heading. */
  readonly preamble: Block[];
  readonly sections: Section[];
}

/** Groups blocks into nested sections by heading level. */
export function toSections(blocks: readonly Block[], end: number): Sections {
  const preamble: Block[] = [];
  const sections: Section[] = [];
  const open: Section[] = [];
  const closeSections = (level: number, to: number) => {
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
    closeSections(block.level, block.from);
    const section = {
      heading: { ...block, text: withoutClosingHashes(block.text) },
      blocks: [],
      sections: [],
      to: end,
    };
    (open.at(-1)?.sections ?? sections).push(section);
    open.push(section);
  }
  return { preamble, sections };
}

/**
 * Separates the title of a document from its sections. The title is the first heading if it is the only
 * heading of the first level, or if no list items are directly below it.
 */
export function takeTitle({
  preamble,
  sections,
}: Sections): Sections & { readonly title: Heading | undefined } {
  const [first, ...others] = sections;
  // In a document with several first-level headings, the first heading is a phase if list items are directly
  // below it.
  const isPhase = others.length > 0 && first?.blocks.some(({ kind }) => kind === "item");
  if (first?.heading.level !== 1 || isPhase) return { title: undefined, preamble, sections };
  return {
    title: first.heading,
    preamble: [...preamble, ...first.blocks],
    sections: [...first.sections, ...others],
  };
}

/** Removes the closing sequence of an ATX heading, such as the second `##` in `## Title ##`. */
function withoutClosingHashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end -= 1;
  if (end === text.length || (end > 0 && !isSpace(text, end - 1))) return text;
  return trimSpaces(text.slice(0, end));
}
