import type { Edit } from "../../../../files/json-text/edit.ts";
import { editText } from "../../../../files/json-text/edit-text.ts";
import type { SpecModel } from "../../../model/spec-model.ts";
import { assignPositions, type ChunkChange } from "./assign-positions.ts";
import { type Chunk, isPartKey, partKey, toStoredKey, toText } from "./chunk.ts";
import { type SplitSizes, splitText } from "./split-text.ts";

/** The chunks that edits need: those of some nodes in addition to the margins, or all. */
export type ChunkWindow =
  | {
      readonly nodes: readonly string[];
      /** The long values that are edited; others are replaced by a placeholder. */
      readonly parts: readonly string[];
      /** The nodes that are needed with all their long values. */
      readonly whole: readonly string[];
    }
  | "all";

/**
 * The chunks that edits need, usually the edited nodes. Together with the members of the root, and the first and the
 * last two entries of hierarchy and journal, they form a short text that is edited like the whole one.
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

/** Options of editing chunks. */
export interface EditOptions {
  /** True if the whole text is ASCII. */
  readonly isPlain: boolean;
  /** True if these are all chunks of the spec. */
  readonly isWhole: boolean;
  readonly sizes?: SplitSizes | undefined;
}

/** Applies edits to chunks; undefined if the edits need all chunks. */
export function editChunks(
  chunks: readonly Chunk[],
  edits: readonly Edit[],
  { isPlain, isWhole, sizes }: EditOptions,
): ChunkChange | undefined {
  const text = toText(chunks);
  const adapted = isWhole ? edits : adaptAppends(edits, countJournal(chunks));
  const { chunks: textChunks, size, index } = editText(text, adapted, undefined, isPlain);
  // Values that are chunks stay chunks, because the length of a value that was not read is unknown.
  const known = new Set(isWhole ? [] : chunks.map(({ key }) => key).filter(isPartKey));
  return assignPositions(chunks, splitText(Buffer.concat(textChunks, size), index, known, sizes), isWhole);
}

function lengthOfJournal({ fields }: SpecModel): number {
  const { journal } = fields;
  return Array.isArray(journal) ? journal.length : -1;
}

/** Adapts edits to a window with fewer journal entries: appends go to its end. */
function adaptAppends(edits: readonly Edit[], length: number): readonly Edit[] {
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
