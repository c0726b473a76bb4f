/**
 * A section of a screen. A section consists of a heading and rows; only the rows that fit the screen are
 * shown.
 */
export interface Section {
  /** Returns the heading; `shown` is the number of visible rows. */
  readonly heading: (shown: number) => string;
  readonly size: number;
  readonly row: (index: number) => string;
  /** The index of the row that must be visible. @default the first row */
  readonly focus?: number | undefined;
  /**
   * The rank of the section. Sections with a lower rank get their first row before sections with a higher
   * rank.
   */
  readonly rank: number;
  /** The number of rows that the section gets in each round, as long as there is room. */
  readonly weight: number;
}

/** The minimum height in lines of a screen that has empty lines between sections. */
const spacious = 20;

/**
 * Arranges sections in their order within the given number of lines. A section is shown with at least one row
 * or not at all.
 */
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
    // The row before the focused row is also shown if there is room.
    const first = Math.max(0, Math.min(count > 1 ? focus - 1 : focus, size - count));
    const rows = Array.from({ length: count }, (_, index) => row(first + index));
    return [...(gap === 1 ? [""] : []), heading(count), ...rows];
  });
}

/** Returns a heading with its count, such as "Tasks 3 of 9". */
export function toHeading(name: string, shown: number, size: number): string {
  return shown < size ? `${name} ${shown} of ${size}` : `${name} ${size}`;
}
