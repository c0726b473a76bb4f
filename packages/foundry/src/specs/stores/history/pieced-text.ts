import type { Splice } from "../../../files/json-text/splice.ts";

/** With more pieces than this a text is put together: each step walks through all of them. */
const mostPieces = 512;

/** A text that goes through many splices: what they leave is not copied with each. */
export class PiecedText {
  #pieces: readonly Uint8Array[];

  constructor(bytes: Uint8Array) {
    this.#pieces = [bytes];
  }

  /** Applies splices, whose places are those of the text before all of them; false where they do not fit it. */
  apply(splices: readonly Splice[]): boolean {
    const walk = new PieceWalk(this.#pieces);
    for (const { at, removed, inserted } of splices) {
      if (!walk.keep(at - walk.position) || !walk.skip(removed.length)) return false;
      walk.add(inserted);
    }
    const pieces = walk.finish();
    this.#pieces = pieces.length > mostPieces ? [Buffer.concat(pieces)] : pieces;
    return true;
  }

  toBytes(): Uint8Array {
    const [first] = this.#pieces;
    return this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
  }
}

/** A way through pieces from the first byte to the last. */
class PieceWalk {
  readonly #pieces: readonly Uint8Array[];
  readonly #kept: Uint8Array[] = [];
  #index = 0;
  #offset = 0;
  /** How many bytes are behind. */
  position = 0;

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
  }

  keep(count: number): boolean {
    return this.#go(count, true);
  }

  skip(count: number): boolean {
    return this.#go(count, false);
  }

  add(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#kept.push(bytes);
  }

  /** Keeps the rest, and gives everything that was kept. */
  finish(): readonly Uint8Array[] {
    const piece = this.#pieces[this.#index];
    if (piece === undefined) return this.#kept;
    this.add(piece.subarray(this.#offset));
    return this.#kept.concat(this.#pieces.slice(this.#index + 1));
  }

  #go(count: number, isKept: boolean): boolean {
    if (count < 0) return false;
    this.position += count;
    for (let left = count; left > 0; ) {
      const piece = this.#pieces[this.#index];
      if (piece === undefined) return false;
      const end = Math.min(piece.length, this.#offset + left);
      if (isKept) this.add(piece.subarray(this.#offset, end));
      left -= end - this.#offset;
      this.#offset = end;
      if (end < piece.length) continue;
      this.#index++;
      this.#offset = 0;
    }
    return true;
  }
}
