import { type Chunk, isNodeKey, positionOf, spacing } from "./chunk.ts";
import { type Section, type TextSlice, toChunks } from "./split-text.ts";

/** The chunks to write and to remove for a new text. */
export interface ChunkChange {
  readonly written: readonly Chunk[];
  /** The removed chunks as they were. */
  readonly removed: readonly Chunk[];
}

/** An existing chunk with its section. */
interface ExistingChunk extends TextSlice {
  readonly chunk: Chunk;
}

/**
 * Assigns positions to the slices of a new text: unchanged slices keep theirs. If the chunks are only a window,
 * undefined for a change that needs their neighbours outside of it.
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

/** The difference of two sets of chunks. */
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
    // Entries follow the chunk of their member.
    if (entry === 0) section = key === "hierarchy" || key === "journal" ? key : "root";
    return { section: entry === 0 ? "root" : section, key, raw, chunk };
  });
}

/** Matches slices with existing chunks, in order. */
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
    // A chunk that moved counts as new at its new position.
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

/** The name of a slice: its section, its key and its number among those with the same key. */
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

/** Assigns each slice its old position, or one between its neighbours; "crowded" if there is no room. */
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
      // There may be chunks outside of the window between these two, so the next position is unknown.
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

/** The slices after a slice on the same level: members, or entries of one member. */
interface Ahead {
  /** The position of the next existing chunk; undefined if there is none. */
  readonly next: number | undefined;
  /** The number of new slices before it, including the slice itself. */
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

/** True if the first or one of the last two entries of a section is removed: its neighbours' separators would change. */
function removesMargin(old: readonly ExistingChunk[], kept: ReadonlySet<ExistingChunk | undefined>): boolean {
  return (["hierarchy", "journal"] as const).some((section) => {
    const all = old.filter((known) => known.section === section && isNodeKey(known.key));
    return [all[0], ...all.slice(-2)].some((known) => known !== undefined && !kept.has(known));
  });
}
