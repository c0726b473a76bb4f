/** A part of a screen: a heading and rows, of which as many are shown as there is room for. */
export interface Section {
  /** Told how many rows are shown. */
  readonly heading: (shown: number) => string;
  readonly size: number;
  readonly row: (index: number) => string;
  /** The row that must be in view. @default the first */
  readonly focus?: number | undefined;
  /** Those with small numbers get their first row before the others. */
  readonly rank: number;
  /** How many rows it gets at a time while there is room. */
  readonly weight: number;
}

/** From this height on there is room for empty lines. */
const spacious = 20;

/** The sections in their order, within so many lines: each that fits with a row at least, none below its heading. */
export function fitSections(sections: readonly Section[], lines: number, height: number): readonly string[] {
  const gap = height >= spacious ? 1 : 0;
  let room = lines;
  const shown = new Map<Section, number>();
  const byRank = sections.filter(({ size }) => size > 0).toSorted((a, b) => a.rank - b.rank);
  for (const section of byRank) {
    if (room < gap + 2) break;
    room -= gap + 2;
    shown.set(section, 1);
  }
  for (let isGrowing = room > 0; isGrowing; ) {
    isGrowing = false;
    for (const [section, rows] of shown) {
      const more = Math.min(section.weight, section.size - rows, room);
      if (more === 0) continue;
      isGrowing = true;
      shown.set(section, rows + more);
      room -= more;
    }
  }
  return sections.flatMap((section) => {
    const count = shown.get(section);
    if (count === undefined) return [];
    const { size, focus = 0, heading, row } = section;
    // With what comes before it, where there is room for both.
    const first = Math.max(0, Math.min(count > 1 ? focus - 1 : focus, size - count));
    const rows = Array.from({ length: count }, (_, index) => row(first + index));
    return [...(gap === 1 ? [""] : []), heading(count), ...rows];
  });
}

/** A heading with its number: of how many, where not all are shown. */
export function toHeading(name: string, shown: number, size: number): string {
  return shown < size ? `${name} ${shown} of ${size}` : `${name} ${size}`;
}
