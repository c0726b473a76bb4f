import type { Edit } from "../../../../files/json-text/edit.ts";
import { editText } from "../../../../files/json-text/edit-text.ts";
import type { SpecModel } from "../../../model/spec-model.ts";
import { type CutSizes, cutText } from "./cut-text.ts";
import { isPartKey, type Piece, partKey, toStoredKey, toText } from "./piece.ts";
import { type PieceChange, placeCuts } from "./place-cuts.ts";

/** Which pieces edits need to be made: those of some nodes beside the margins, or all. */
export type Window =
  | {
      readonly nodes: readonly string[];
      /** Long values that are looked at; of others it is enough to know that they are there. */
      readonly parts: readonly string[];
      /** Nodes of which all is needed. */
      readonly whole: readonly string[];
    }
  | "all";

/**
 * The pieces that edits need. Mostly it is the nodes that they name: with the members of the root, the first and the
 * last two entries of hierarchy and journal they make a short text that is edited as the whole one would be.
 */
export function windowOf(spec: SpecModel, edits: readonly Edit[]): Window {
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

/** How pieces are edited. */
export interface EditOptions {
  /** True where the whole text is ASCII. */
  readonly isPlain: boolean;
  /** True where these are all pieces. */
  readonly isWhole: boolean;
  readonly sizes?: CutSizes | undefined;
}

/** Makes edits on pieces; undefined where it takes all pieces to make them. */
export function editPieces(
  pieces: readonly Piece[],
  edits: readonly Edit[],
  { isPlain, isWhole, sizes }: EditOptions,
): PieceChange | undefined {
  const text = toText(pieces);
  const fitting = isWhole ? edits : appendTo(edits, countJournal(pieces));
  const { pieces: parts, size, index } = editText(text, fitting, undefined, isPlain);
  // What is a piece of its own stays one: of those that nobody looked at, the length is not known.
  const known = new Set(isWhole ? [] : pieces.map(({ key }) => key).filter(isPartKey));
  return placeCuts(pieces, cutText(Buffer.concat(parts, size), index, known, sizes), isWhole);
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

function countJournal(pieces: readonly Piece[]): number {
  const journal = pieces.findLast(({ key, entry }) => entry === 0 && key === "journal");
  return pieces.filter(({ member, entry }) => member === journal?.member && entry > 0).length;
}
