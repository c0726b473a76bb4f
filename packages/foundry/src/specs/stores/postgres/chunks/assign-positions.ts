import { type Chunk, isNodeKey, positionOf, spacing } from "./chunk.ts";
import { type Section, type TextSlice, toChunks } from "./split-text.ts";

/** What is to be written and removed so that chunks say another text. */
export interface ChunkChange {
  readonly written: readonly Chunk[];
  /** As they were. */
  readonly removed: readonly Chunk[];
}

/** A chunk and what it is an entry of. */
interface Known extends TextSlice {
  readonly chunk: Chunk;
}

/**
 * The change that leads from chunks to the cuts of a new text: what stays keeps its place. Where the chunks are only
 * some of all there are, undefined for a change that others would have to know of: one in the middle of them.
 */
export function assignPositions(
  chunks: readonly Chunk[],
  cuts: readonly TextSlice[],
  isWhole: boolean,
): ChunkChange | undefined {
  const old = toKnown(chunks);
  const matches = match(old, cuts);
  const placed = place(cuts, matches, isWhole);
  if (placed === "crowded") return toChunkChange(chunks, toChunks(cuts));
  if (placed === undefined || (!isWhole && takesMargins(old, new Set(matches)))) return undefined;
  return toChunkChange(chunks, placed);
}

/** The change that leads from chunks to others. */
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

function toKnown(chunks: readonly Chunk[]): readonly Known[] {
  let section: Section = "root";
  return chunks.map((chunk) => {
    const { key, raw, entry } = chunk;
    // A member whose entries are chunks is the one before them.
    if (entry === 0) section = key === "hierarchy" || key === "journal" ? key : "root";
    return { section: entry === 0 ? "root" : section, key, raw, chunk };
  });
}

/** The old chunk of each cut, where it has one; old chunks in their order. */
function match(old: readonly Known[], cuts: readonly TextSlice[]): readonly (Known | undefined)[] {
  const found = new Map(old.map((known, at) => [nameOf(old, at), known]));
  const shift = cuts.length - old.length;
  let tail = 0;
  while (tail < Math.min(old.length, cuts.length) && isSame(old.at(-1 - tail), cuts.at(-1 - tail))) tail++;
  const rest = new Map(old.slice(old.length - tail).map((known, at) => [old.length - tail + at, known]));
  const kept = new Set<Known>(rest.values());
  let passed: Chunk | undefined;
  return cuts.map((_, at) => {
    const known = rest.get(at - shift) ?? unless(kept, found.get(nameOf(cuts, at)));
    // What went to another place is new there.
    if (known === undefined || (passed !== undefined && !isBehind(known.chunk, passed))) return undefined;
    passed = known.chunk;
    return known;
  });
}

function unless(kept: ReadonlySet<Known>, known: Known | undefined): Known | undefined {
  return known === undefined || kept.has(known) ? undefined : known;
}

function isSame(a: TextSlice | undefined, b: TextSlice | undefined): boolean {
  return a !== undefined && b !== undefined && a.section === b.section && a.key === b.key && a.raw === b.raw;
}

function isBehind(a: Chunk, b: Chunk): boolean {
  return a.member > b.member || (a.member === b.member && a.entry > b.entry);
}

const names = new WeakMap<readonly TextSlice[], readonly string[]>();

/** What a stretch is called among all: by its key, and which of those with this key; entries of a journal by their number. */
function nameOf(cuts: readonly TextSlice[], at: number): string {
  const known = names.get(cuts);
  if (known !== undefined) return known[at] as string;
  const counts = new Map<string, number>();
  const all = cuts.map(({ section, key }) => {
    const name = `${section} ${key}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return `${name} ${count}`;
  });
  names.set(cuts, all);
  return all[at] as string;
}

/** Gives every cut its place: the old one, or one between its neighbours. */
function place(
  cuts: readonly TextSlice[],
  matches: readonly (Known | undefined)[],
  isWhole: boolean,
): readonly Chunk[] | "crowded" | undefined {
  const ahead = lookAhead(cuts, matches);
  const placed: Chunk[] = [];
  let member = 0;
  let entry = 0;
  for (const [at, { section, key, raw }] of cuts.entries()) {
    const known = matches[at]?.chunk;
    const isMember = section === "root";
    if (known === undefined) {
      const { next, run } = ahead[at] as Ahead;
      // Between two of which others may stand: which is next, only all of them tell.
      if (!isWhole && !isMember && next !== undefined) return undefined;
      const from = isMember ? member : entry;
      const to = next === undefined ? from + spacing : from + (next - from) / (run + 1);
      if (to <= from || (next !== undefined && to >= next)) return "crowded";
      if (isMember) [member, entry] = [to, 0];
      else entry = to;
    } else {
      // Entries go where their member goes.
      if (!isMember && known.member !== member) return isWhole ? "crowded" : undefined;
      ({ member, entry } = known);
    }
    placed.push({ member, entry, key, raw });
  }
  return placed;
}

/** What comes behind a cut among the same, members or entries of one member. */
interface Ahead {
  /** The place of the next old one; undefined where there is none. */
  readonly next: number | undefined;
  /** How many new ones come before that, the cut itself included. */
  readonly run: number;
}

function lookAhead(cuts: readonly TextSlice[], matches: readonly (Known | undefined)[]): readonly Ahead[] {
  const none: Ahead = { next: undefined, run: 0 };
  const all = new Array<Ahead>(cuts.length);
  let members = none;
  let entries = none;
  for (let at = cuts.length - 1; at >= 0; at--) {
    const isMember = cuts[at]?.section === "root";
    const known = matches[at]?.chunk;
    const { next, run } = isMember ? members : entries;
    const seen = known ? { next: isMember ? known.member : known.entry, run: 0 } : { next, run: run + 1 };
    all[at] = seen;
    if (isMember) [members, entries] = [seen, none];
    else entries = seen;
  }
  return all;
}

/** True where the first or one of the last two of a section goes: what stands beside it would have to change. */
function takesMargins(old: readonly Known[], kept: ReadonlySet<Known | undefined>): boolean {
  return (["hierarchy", "journal"] as const).some((section) => {
    const all = old.filter((known) => known.section === section && isNodeKey(known.key));
    return [all[0], ...all.slice(-2)].some((known) => known !== undefined && !kept.has(known));
  });
}
