import type { Edit } from "../../../../files/json-text/edit.ts";
import { editText } from "../../../../files/json-text/edit-text.ts";
import type { SpecModel } from "../../../model/spec-model.ts";
import { assignPositions, type ChunkChange } from "./assign-positions.ts";
import { type Chunk, isNodeKey, isPartKey, partKey, positionOf, toStoredKey, toText } from "./chunk.ts";
import { type SplitSizes, splitText } from "./split-text.ts";

/** The chunks that edits need: all chunks, or the chunks of some nodes and the margins. */
export type ChunkWindow =
  | {
      readonly nodes: readonly string[];
      /** The keys of the long values that are edited. All other long values are replaced by a placeholder. */
      readonly parts: readonly string[];
      /** The nodes that are needed with all their long values. */
      readonly whole: readonly string[];
    }
  | "all";

/**
 * Returns the chunks that edits need, usually the chunks of the edited nodes. The window also contains the
 * members of the root, and the first entry and the last two entries of the hierarchy and of the journal.
 * Together, these chunks form a short text that is edited like the whole text.
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

/** Returns the chunks of a window from the chunks of a larger window. */
export function pickWindow(chunks: readonly Chunk[], window: ChunkWindow): readonly Chunk[] {
  if (window === "all") return chunks;
  const entries = chunks.filter(({ entry }) => entry > 0);
  const members = [...new Set(entries.map(({ member }) => member))];
  const margins = members.flatMap((member) => {
    const keys = entries.filter((chunk) => chunk.member === member && isNodeKey(chunk.key));
    return [...keys.slice(0, 1), ...keys.slice(-2)].map(({ entry }) => `${member}/${entry}`);
  });
  const [nodes, kept] = [new Set(window.nodes), new Set(margins)];
  let isKept = false;
  return chunks.filter((chunk) => {
    // The chunks of a node follow each other, and the first of them has the key of the node.
    if (isNodeKey(chunk.key)) isKept = nodes.has(chunk.key) || kept.has(positionOf(chunk));
    return chunk.entry === 0 || isKept;
  });
}

/** Options of editing chunks. */
export interface EditOptions {
  /** True if the whole text is ASCII. */
  readonly isPlain: boolean;
  /** True if the given chunks are all chunks of the spec. */
  readonly isWhole: boolean;
  readonly sizes?: SplitSizes | undefined;
}

/** Applies edits to chunks. Returns undefined if the edits need all chunks of the spec. */
export function editChunks(
  chunks: readonly Chunk[],
  edits: readonly Edit[],
  { isPlain, isWhole, sizes }: EditOptions,
): ChunkChange | undefined {
  const text = toText(chunks);
  const adapted = isWhole ? edits : adaptAppends(edits, countJournal(chunks));
  const { chunks: textChunks, size, index } = editText(text, adapted, undefined, isPlain);
  // A value that is a separate chunk stays a separate chunk, because the length of a value that was not read
  // is unknown.
  const known = new Set(isWhole ? [] : chunks.map(({ key }) => key).filter(isPartKey));
  return assignPositions(chunks, splitText(Buffer.concat(textChunks, size), index, known, sizes), isWhole);
}

function lengthOfJournal({ fields }: SpecModel): number {
  const { journal } = fields;
  return Array.isArray(journal) ? journal.length : -1;
}

/**
 * Adapts edits to a window that contains only some of the journal entries. Appended entries are inserted at
 * the end of the window.
 */
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
