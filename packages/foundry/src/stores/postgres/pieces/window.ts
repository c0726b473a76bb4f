import type { Edit } from "../../../specs/edit.ts";
import type { SpecModel } from "../../../specs/spec-model.ts";
import { editText } from "../../json-text/edit-text.ts";
import { cutText } from "./cut-text.ts";
import { type Piece, toStoredKey, toText } from "./piece.ts";
import { type PieceChange, placeCuts } from "./place-cuts.ts";

/** Which pieces edits need to be made: those of some nodes beside the margins, or all. */
export type Window = { readonly nodes: readonly string[] } | "all";

/**
 * The pieces that edits need. Mostly it is the nodes that they name: with the members of the root, the first and the
 * last two entries of hierarchy and journal they make a short text that is edited as the whole one would be.
 */
export function windowOf(spec: SpecModel, edits: readonly Edit[]): Window {
  const nodes = new Set<string>();
  let length = lengthOfJournal(spec);
  for (const edit of edits) {
    const [top, key] = edit.path;
    if (top === "hierarchy") {
      if (typeof key !== "string" || (edit.op === "set" && edit.path.length === 2 && edit.after !== undefined))
        return "all";
      nodes.add(toStoredKey(key));
    } else if (top === "journal" && Object.hasOwn(spec.fields, "journal")) {
      if (edit.op !== "insert" || edit.path.length > 1 || edit.index !== length) return "all";
      length += 1;
    }
  }
  return { nodes: [...nodes] };
}

/** Makes edits on pieces; undefined where it takes all pieces to make them. */
export function editPieces(
  pieces: readonly Piece[],
  edits: readonly Edit[],
  { isPlain, isWhole }: { readonly isPlain: boolean; readonly isWhole: boolean },
): PieceChange | undefined {
  const text = toText(pieces);
  const fitting = isWhole ? edits : appendTo(edits, countJournal(pieces));
  const { pieces: parts, size, index } = editText(text, fitting, undefined, isPlain);
  return placeCuts(pieces, cutText(Buffer.concat(parts, size), index), isWhole);
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

