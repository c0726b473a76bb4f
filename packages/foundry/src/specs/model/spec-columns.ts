/**
 * The facts about the nodes of a spec that the order of work and the progress depend on, as typed arrays. A program
 * can store these columns, so that the next program does not have to parse all nodes.
 *
 * A row is the position of a node in the file. A place is the position of a node in the order of work, in which the
 * root has place 0.
 */
export interface SpecColumns {
  /** The ids of all nodes, by row. */
  readonly ids: readonly string[];
  /** The row of each node below the root. The first entry is the row of place 1. */
  readonly order: Uint32Array;
  /** The place of each row; -1 for a node that is not below the root. */
  readonly places: Int32Array;
  /** The place of the parent of each place; -1 for the root. */
  readonly parents: Int32Array;
  /** The value 1 for each place whose node is a leaf that counts towards progress, else 0. */
  readonly counted: Uint8Array;
  /** The value 1 for each place whose node is counted and is not a verify node, else 0. */
  readonly work: Uint8Array;
  /** The number of counted leaves at or below each place. */
  readonly totals: Uint32Array;
  /** The number of completed counted leaves at or below each place. */
  readonly completed: Uint32Array;
  /** The index in `blockers` at which the blockers of each row begin, and the length of `blockers`. */
  readonly blockerStarts: Uint32Array;
  /**
   * The rows of the blockers. A number below the number of rows is a row. After subtracting the number of rows, any
   * other number is an index in `strangers`.
   */
  readonly blockers: Uint32Array;
  /** The ids of blockers that are not nodes of the spec. */
  readonly strangers: readonly string[];
  /** True if any node has a priority. */
  readonly hasPriorities: boolean;
}

/** The blockers of all nodes, in the form of the columns. */
export type BlockerColumns = Pick<SpecColumns, "blockerStarts" | "blockers" | "strangers">;

/** Returns the columns of blockers. `rows` maps the ids of all nodes to their rows. */
export function toBlockerColumns(
  ids: readonly string[],
  rows: ReadonlyMap<string, number>,
  blockersOf: (id: string) => readonly string[],
): BlockerColumns {
  const strangers: string[] = [];
  const strange = new Map<string, number>();
  const numberOf = (id: string): number => {
    const known = rows.get(id) ?? strange.get(id);
    if (known !== undefined) return known;
    strangers.push(id);
    strange.set(id, ids.length + strangers.length - 1);
    return ids.length + strangers.length - 1;
  };
  const blockerStarts = new Uint32Array(ids.length + 1);
  const blockers: number[] = [];
  for (const [row, id] of ids.entries()) {
    for (const blocker of blockersOf(id)) blockers.push(numberOf(blocker));
    blockerStarts[row + 1] = blockers.length;
  }
  return { blockerStarts, blockers: Uint32Array.from(blockers), strangers };
}

/** Returns the ids of the blockers of a row. */
export function blockersOfRow(
  { ids, blockerStarts, blockers, strangers }: SpecColumns,
  row: number,
): readonly string[] {
  const found: string[] = [];
  for (let at = blockerStarts[row] as number; at < (blockerStarts[row + 1] as number); at++) {
    const number = blockers[at] as number;
    found.push((number < ids.length ? ids[number] : strangers[number - ids.length]) as string);
  }
  return found;
}

/** Returns the row of each id. */
export function toRows(ids: readonly string[]): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  for (let row = 0; row < ids.length; row++) rows.set(ids[row] as string, row);
  return rows;
}
