import { type Chunk, isNodeKey, positionOf, spacing } from "./chunk.ts";
import { type Section, type TextSlice, toChunks } from "./split-text.ts";

/** The chunks to write and to remove for a new text. */
export interface ChunkChange {
  readonly written: readonly Chunk[];
  /** The removed chunks with their old texts. */
  readonly removed: readonly Chunk[];
}

/** An existing chunk, and the section that contains the chunk. */
interface ExistingChunk extends TextSlice {
  readonly chunk: Chunk;
}

/**
 * Assigns positions to the slices of a new text. Unchanged slices keep their positions. Returns undefined if
 * the given chunks are only a window and the change needs chunks outside the window.
 */
export function assignPositions(
  chunks: readonly Chunk[],
  slices: readonly TextSlice[],
  isWhole: boolean,
): ChunkChange | undefined {
  const old = toExisting(chunks);
  const matches = match(old, slices);
  const positioned = placeSlices(slices, matches, isWhole);
  if (positioned === "crowded") return toChunkChange(chunks, toChunks(slices));
  if (positioned === undefined || (!isWhole && removesMargin(old, new Set(matches)))) return undefined;
  return toChunkChange(chunks, positioned);
}

/** Returns the difference between two sets of chunks. */
export function toChunkChange(before: readonly Chunk[], after: readonly Chunk[]): ChunkChange {
  const known = new Map(before.map((chunk) => [positionOf(chunk), chunk]));
  const places = new Set(after.map(positionOf));
  return {
    written: after.filter((chunk) => {
      const held = known.get(positionOf(chunk));
      return held === undefined || held.raw !== chunk.raw || held.key !== chunk.key;
    }),
    removed: before.filter((chunk) => !places.has(positionOf(chunk))),
  };
}

function toExisting(chunks: readonly Chunk[]): readonly ExistingChunk[] {
  let section: Section = "root";
  return chunks.map((chunk) => {
    const { key, raw, entry } = chunk;
    // Entries come after the chunk of their member.
    if (entry === 0) section = key === "hierarchy" || key === "journal" ? key : "root";
    return { section: entry === 0 ? "root" : section, key, raw, chunk };
  });
}

/** Matches slices with existing chunks. The matched chunks are in the same order as the slices. */
function match(
  old: readonly ExistingChunk[],
  slices: readonly TextSlice[],
): readonly (ExistingChunk | undefined)[] {
  const found = new Map(old.map((known, at) => [nameOf(old, at), known]));
  const shift = slices.length - old.length;
  let tail = 0;
  while (tail < Math.min(old.length, slices.length) && isSame(old.at(-1 - tail), slices.at(-1 - tail)))
    tail++;
  const rest = new Map(old.slice(old.length - tail).map((known, at) => [old.length - tail + at, known]));
  const kept = new Set<ExistingChunk>(rest.values());
  let last: Chunk | undefined;
  return slices.map((_, at) => {
    const known = rest.get(at - shift) ?? unlessKept(kept, found.get(nameOf(slices, at)));
    // A chunk that was moved counts as a new chunk at its new position.
    if (known === undefined || (last !== undefined && !isAfter(known.chunk, last))) return undefined;
    last = known.chunk;
    return known;
  });
}

function unlessKept(
  kept: ReadonlySet<ExistingChunk>,
  known: ExistingChunk | undefined,
): ExistingChunk | undefined {
  return known === undefined || kept.has(known) ? undefined : known;
}

function isSame(a: TextSlice | undefined, b: TextSlice | undefined): boolean {
  return a !== undefined && b !== undefined && a.section === b.section && a.key === b.key && a.raw === b.raw;
}

function isAfter(a: Chunk, b: Chunk): boolean {
  return a.member > b.member || (a.member === b.member && a.entry > b.entry);
}

const names = new WeakMap<readonly TextSlice[], readonly string[]>();

/**
 * Returns the name of a slice. The name consists of its section, its key, and its number among the slices
 * with the same key.
 */
function nameOf(slices: readonly TextSlice[], at: number): string {
  const known = names.get(slices);
  if (known !== undefined) return known[at] as string;
  const counts = new Map<string, number>();
  const all = slices.map(({ section, key }) => {
    const name = `${section} ${key}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return `${name} ${count}`;
  });
  names.set(slices, all);
  return all[at] as string;
}

/**
 * Assigns each slice its old position, or a position between its neighbours. Returns "crowded" if there is no
 * free position between the neighbours.
 */
function placeSlices(
  slices: readonly TextSlice[],
  matches: readonly (ExistingChunk | undefined)[],
  isWhole: boolean,
): readonly Chunk[] | "crowded" | undefined {
  const ahead = lookAhead(slices, matches);
  const positioned: Chunk[] = [];
  let member = 0;
  let entry = 0;
  for (const [at, { section, key, raw }] of slices.entries()) {
    const known = matches[at]?.chunk;
    const isMember = section === "root";
    if (known === undefined) {
      const { next, run } = ahead[at] as Ahead;
      // The window may omit chunks between these two chunks, so the next position is not known.
      if (!isWhole && !isMember && next !== undefined) return undefined;
      const from = isMember ? member : entry;
      const to = next === undefined ? from + spacing : from + (next - from) / (run + 1);
      if (to <= from || (next !== undefined && to >= next)) return "crowded";
      if (isMember) [member, entry] = [to, 0];
      else entry = to;
    } else {
      // Entries must keep the position of their member.
      if (!isMember && known.member !== member) return isWhole ? "crowded" : undefined;
      ({ member, entry } = known);
    }
    positioned.push({ member, entry, key, raw });
  }
  return positioned;
}

/**
 * The slices that follow a slice on the same level. A level consists of the members of the root, or of the
 * entries of one member.
 */
interface Ahead {
  /** The position of the next existing chunk; undefined if there is no such chunk. */
  readonly next: number | undefined;
  /** The number of new slices before the next existing chunk, including the slice itself. */
  readonly run: number;
}

function lookAhead(
  slices: readonly TextSlice[],
  matches: readonly (ExistingChunk | undefined)[],
): readonly Ahead[] {
  const none: Ahead = { next: undefined, run: 0 };
  const all = new Array<Ahead>(slices.length);
  let members = none;
  let entries = none;
  for (let at = slices.length - 1; at >= 0; at--) {
    const isMember = slices[at]?.section === "root";
    const known = matches[at]?.chunk;
    const { next, run } = isMember ? members : entries;
    const seen = known ? { next: isMember ? known.member : known.entry, run: 0 } : { next, run: run + 1 };
    all[at] = seen;
    if (isMember) [members, entries] = [seen, none];
    else entries = seen;
  }
  return all;
}

/**
 * True if the first entry or one of the last two entries of a section is removed. The removal of a first or last
 * entry changes the separators of its neighbours.
 */
function removesMargin(old: readonly ExistingChunk[], kept: ReadonlySet<ExistingChunk | undefined>): boolean {
  return (["hierarchy", "journal"] as const).some((section) => {
    const all = old.filter((known) => known.section === section && isNodeKey(known.key));
    return [all[0], ...all.slice(-2)].some((known) => known !== undefined && !kept.has(known));
  });
}
