import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editText } from "../../../../files/json-text/edit-text.ts";
import { recipes, toEdits } from "../../../../files/json-text/testing/random-edits.ts";
import {
  type Format,
  formats,
  keys,
  parseText,
  type Tree,
  toText as toSpecText,
  trees,
} from "../../../../files/json-text/testing/random-text.ts";
import { SpecModel } from "../../../model/spec-model.ts";
import { cutText, toPieces } from "./cut-text.ts";
import { byPlace, isNodeKey, isPartKey, isWide, nodeOf, type Piece, placeOf, stub, toText } from "./piece.ts";
import type { PieceChange } from "./place-cuts.ts";
import { editPieces, type Window, windowOf } from "./window.ts";

const names = Array.from({ length: 12 }, (_, index) => `node-${index}`);
const node = fc
  .array(fc.tuple(fc.constantFrom(...keys), trees), { maxLength: 3 })
  .map((members): Tree => ({ kind: "object", members }));
const hierarchies = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...names), fc.constantFrom(...keys)), node), { maxLength: 12 })
  .map((members): Tree => ({ kind: "object", members }));
const journals = fc.array(trees, { maxLength: 7 }).map((items): Tree => ({ kind: "list", items }));
/** Specs of every kind: members that come twice, no journal, or one that is no list. */
const specs = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...keys), trees), { maxLength: 4 }),
    hierarchies,
    fc.option(fc.oneof({ weight: 5, arbitrary: journals }, { weight: 1, arbitrary: trees })),
    fc.nat(4),
  )
  .map(([members, hierarchy, journal, at]): Tree => {
    const all: (readonly [string, Tree])[] = [...members];
    all.splice(at, 0, ["hierarchy", hierarchy]);
    if (journal !== null) all.splice(at * 2, 0, ["journal", journal]);
    return { kind: "object", members: all };
  });
const texts = fc.tuple(specs, formats).map(([tree, format]: [Tree, Format]) => toSpecText(tree, format));

/** So short that many nodes of a test are cut. */
const sizes = { node: 60, value: 25 };

/** The pieces that a window takes: what the store asks its database for. */
function look(pieces: readonly Piece[], window: Window): readonly Piece[] {
  if (window === "all") return pieces;
  const taken = new Map<Piece, Piece>();
  const take = (piece: Piece) => taken.set(piece, piece);
  for (const piece of pieces) if (piece.entry === 0) take(piece);
  const entriesOf = (name: string) => {
    const member = pieces.findLast(({ key, entry }) => entry === 0 && key === name)?.member;
    return pieces.filter((piece) => piece.member === member && piece.entry > 0);
  };
  const journal = entriesOf("journal");
  for (const piece of [...journal.slice(0, 1), ...journal.slice(-2)]) take(piece);
  const nodes = entriesOf("hierarchy");
  const heads = nodes.map(({ key }) => key).filter(isNodeKey);
  const wanted = new Set([...window.nodes, ...heads.slice(0, 1), ...heads.slice(-2)]);
  for (const piece of nodes) {
    const node = nodeOf(piece.key);
    if (!wanted.has(node)) continue;
    const isSeen = !isPartKey(piece.key) || window.parts.includes(piece.key) || window.whole.includes(node);
    taken.set(piece, isSeen ? piece : { ...piece, raw: stub });
  }
  return pieces.flatMap((piece) => taken.get(piece) ?? []);
}

function apply(pieces: readonly Piece[], { written, removed }: PieceChange): readonly Piece[] {
  const all = new Map(pieces.map((piece) => [placeOf(piece), piece]));
  for (const piece of removed) all.delete(placeOf(piece));
  for (const piece of written) all.set(placeOf(piece), piece);
  return [...all.values()].sort(byPlace);
}

describe("pieces of a text", () => {
  it("are the text, one behind the other", () => {
    fc.assert(
      fc.property(texts, (bytes) => {
        const pieces = toPieces(cutText(bytes, undefined, undefined, sizes));
        expect(toText(pieces)).toEqual(bytes);
        expect(pieces.toSorted(byPlace)).toEqual(pieces);
        expect(new Set(pieces.map(placeOf)).size).toBe(pieces.length);
      }),
      { numRuns: 60 },
    );
  });

  it("are edited as the text is, whether all of them are looked at or few", () => {
    const seen = { few: 0, again: 0, all: 0, shared: 0, stubs: 0 };
    fc.assert(
      fc.property(texts, fc.array(fc.array(recipes, { maxLength: 4 }), { maxLength: 4 }), (bytes, steps) => {
        let text = bytes;
        let pieces = toPieces(cutText(bytes, undefined, undefined, sizes));
        for (const wanted of steps) {
          const document = parseText(text) as Record<string, unknown>;
          const edits = toEdits(document, wanted);
          if (typeof document["hierarchy"] !== "object" || document["hierarchy"] === null) return;
          const window = windowOf(new SpecModel(document), edits);
          const isPlain = !pieces.some(isWide);
          const some = look(pieces, window);
          const change = editPieces(some, edits, { isPlain, isWhole: window === "all", sizes });
          if (window === "all") seen.all += 1;
          else if (change === undefined) seen.again += 1;
          else seen.few += 1;
          if (change !== undefined && some.length < pieces.length) seen.shared += 1;
          if (change !== undefined && some.some((piece) => isPartKey(piece.key) && piece.raw === stub))
            seen.stubs += 1;
          const whole = change ?? editPieces(pieces, edits, { isPlain, isWhole: true, sizes });
          text = Buffer.concat(editText(text, edits).pieces);
          if (whole === undefined) throw new Error("All pieces are always enough");
          pieces = apply(pieces, whole);
          expect(toText(pieces).toString()).toBe(text.toString());
          // The pieces are what the text would be cut into, with the same long values. Of nodes with the same name
          // one may be cut, and the other not.
          const heads = pieces.filter(({ entry, key }) => entry > 0 && key !== "" && isNodeKey(key));
          if (new Set(heads.map(({ key }) => key)).size < heads.length) continue;
          const parts = new Set(pieces.map(({ key }) => key).filter(isPartKey));
          expect(pieces.map(({ key, raw }) => [key, raw])).toEqual(
            cutText(text, undefined, parts, { node: Number.MAX_VALUE, value: Number.MAX_VALUE }).map(
              ({ key, raw }) => [key, raw],
            ),
          );
        }
      }),
      { numRuns: 300 },
    );
    // The property would hold if only one of the ways were gone.
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
  });
});
