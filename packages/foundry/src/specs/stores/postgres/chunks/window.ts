import type { Edit } from "../../../../files/json-text/edit.ts";
import { editText } from "../../../../files/json-text/edit-text.ts";
import type { SpecModel } from "../../../model/spec-model.ts";
import { assignPositions, type ChunkChange } from "./assign-positions.ts";
import { type Chunk, isPartKey, partKey, toStoredKey, toText } from "./chunk.ts";
import { type SplitSizes, splitText } from "./split-text.ts";

/** Which chunks edits need to be made: those of some nodes beside the margins, or all. */
export type ChunkWindow =
  | {
      readonly nodes: readonly string[];
      /** Long values that are looked at; of others it is enough to know that they are there. */
      readonly parts: readonly string[];
      /** Nodes of which all is needed. */
      readonly whole: readonly string[];
    }
  | "all";

/**
 * The chunks that edits need. Mostly it is the nodes that they name: with the members of the root, the first and the
 * last two entries of hierarchy and journal they make a short text that is edited as the whole one would be.
 */
export function windowOf(spec: SpecModel, edits: readonly Edit[]): ChunkWindow {
  const nodes = new Set<string>();
  const parts = new Set<string>();
  const whole = new Set<string>();
  let length = lengthOfJournal(spec);
  for (const edit of edits) {
    const [top, key, name] = edit.path;
    if (top === "hierarchy") {
      if (
        typeof key !== "string" ||
        (edit.op === "set" && edit.path.length === 2 && edit.after !== undefined)
      )
        return "all";
      const node = toStoredKey(key);
      nodes.add(node);
      if (name === undefined) whole.add(node);
      else parts.add(partKey(node, String(name)));
    } else if (top === "journal" && Object.hasOwn(spec.fields, "journal")) {
      if (edit.op !== "insert" || edit.path.length > 1 || edit.index !== length) return "all";
      length += 1;
    }
  }
  return { nodes: [...nodes], parts: [...parts], whole: [...whole] };
}

/** How chunks are edited. */
export interface EditOptions {
  /** True where the whole text is ASCII. */
  readonly isPlain: boolean;
  /** True where these are all chunks. */
  readonly isWhole: boolean;
  readonly sizes?: SplitSizes | undefined;
}

/** Makes edits on chunks; undefined where it takes all chunks to make them. */
export function editChunks(
  chunks: readonly Chunk[],
  edits: readonly Edit[],
  { isPlain, isWhole, sizes }: EditOptions,
): ChunkChange | undefined {
  const text = toText(chunks);
  const fitting = isWhole ? edits : appendTo(edits, countJournal(chunks));
  const { chunks: parts, size, index } = editText(text, fitting, undefined, isPlain);
  // What is a chunk of its own stays one: of those that nobody looked at, the length is not known.
  const known = new Set(isWhole ? [] : chunks.map(({ key }) => key).filter(isPartKey));
  return assignPositions(chunks, splitText(Buffer.concat(parts, size), index, known, sizes), isWhole);
}

function lengthOfJournal({ fields }: SpecModel): number {
  const { journal } = fields;
  return Array.isArray(journal) ? journal.length : -1;
}

/** The edits for a text with fewer entries in its journal: what goes to the end goes to its end. */
function appendTo(edits: readonly Edit[], length: number): readonly Edit[] {
  let index = length;
  return edits.map((edit) =>
    edit.op === "insert" && edit.path[0] === "journal" && edit.path.length === 1
      ? { ...edit, index: index++ }
      : edit,
  );
}

function countJournal(chunks: readonly Chunk[]): number {
  const journal = chunks.findLast(({ key, entry }) => entry === 0 && key === "journal");
  return chunks.filter(({ member, entry }) => member === journal?.member && entry > 0).length;
}
