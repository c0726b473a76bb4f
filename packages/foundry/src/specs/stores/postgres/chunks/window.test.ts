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
import type { ChunkChange } from "./assign-positions.ts";
import {
  byPosition,
  type Chunk,
  isNodeKey,
  isNonAscii,
  isPartKey,
  nodeOf,
  positionOf,
  stub,
  toText,
} from "./chunk.ts";
import { splitText, toChunks } from "./split-text.ts";
import { type ChunkWindow, editChunks, windowOf } from "./window.ts";

const names = Array.from({ length: 12 }, (_, index) => `node-${index}`);
const node = fc
  .array(fc.tuple(fc.constantFrom(...keys), trees), { maxLength: 3 })
  .map((members): Tree => ({ kind: "object", members }));
const hierarchies = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...names), fc.constantFrom(...keys)), node), { maxLength: 12 })
  .map((members): Tree => ({ kind: "object", members }));
const journals = fc.array(trees, { maxLength: 7 }).map((items): Tree => ({ kind: "list", items }));
/**
 * Generates specs with all kinds of structures, such as duplicate members, no journal, or a journal that is
 * not a list.
 */
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

/** Sizes that are so small that many nodes in this test are split. */
const sizes = { node: 60, value: 25 };

/** Returns the chunks of a window, like the query of the store. */
function look(chunks: readonly Chunk[], window: ChunkWindow): readonly Chunk[] {
  if (window === "all") return chunks;
  const taken = new Map<Chunk, Chunk>();
  const take = (chunk: Chunk) => taken.set(chunk, chunk);
  for (const chunk of chunks) if (chunk.entry === 0) take(chunk);
  const entriesOf = (name: string) => {
    const member = chunks.findLast(({ key, entry }) => entry === 0 && key === name)?.member;
    return chunks.filter((chunk) => chunk.member === member && chunk.entry > 0);
  };
  const journal = entriesOf("journal");
  for (const chunk of [...journal.slice(0, 1), ...journal.slice(-2)]) take(chunk);
  const nodes = entriesOf("hierarchy");
  const heads = nodes.map(({ key }) => key).filter(isNodeKey);
  const wanted = new Set([...window.nodes, ...heads.slice(0, 1), ...heads.slice(-2)]);
  for (const chunk of nodes) {
    const node = nodeOf(chunk.key);
    if (!wanted.has(node)) continue;
    const isSeen = !isPartKey(chunk.key) || window.parts.includes(chunk.key) || window.whole.includes(node);
    taken.set(chunk, isSeen ? chunk : { ...chunk, raw: stub });
  }
  return chunks.flatMap((chunk) => taken.get(chunk) ?? []);
}

function apply(chunks: readonly Chunk[], { written, removed }: ChunkChange): readonly Chunk[] {
  const all = new Map(chunks.map((chunk) => [positionOf(chunk), chunk]));
  for (const chunk of removed) all.delete(positionOf(chunk));
  for (const chunk of written) all.set(positionOf(chunk), chunk);
  return [...all.values()].sort(byPosition);
}

describe("chunks of a text", () => {
  it("are the text, one behind the other", () => {
    fc.assert(
      fc.property(texts, (bytes) => {
        const chunks = toChunks(splitText(bytes, undefined, undefined, sizes));
        expect(toText(chunks)).toEqual(bytes);
        expect(chunks.toSorted(byPosition)).toEqual(chunks);
        expect(new Set(chunks.map(positionOf)).size).toBe(chunks.length);
      }),
      { numRuns: 60 },
    );
  });

  it("are edited as the text is, whether all of them are looked at or few", () => {
    const seen = { few: 0, again: 0, all: 0, shared: 0, stubs: 0 };
    fc.assert(
      fc.property(texts, fc.array(fc.array(recipes, { maxLength: 4 }), { maxLength: 4 }), (bytes, steps) => {
        let text = bytes;
        let chunks = toChunks(splitText(bytes, undefined, undefined, sizes));
        for (const wanted of steps) {
          const document = parseText(text) as Record<string, unknown>;
          const edits = toEdits(document, wanted);
          if (typeof document["hierarchy"] !== "object" || document["hierarchy"] === null) return;
          const window = windowOf(new SpecModel(document), edits);
          const isPlain = !chunks.some(isNonAscii);
          const some = look(chunks, window);
          const change = editChunks(some, edits, { isPlain, isWhole: window === "all", sizes });
          if (window === "all") seen.all += 1;
          else if (change === undefined) seen.again += 1;
          else seen.few += 1;
          if (change !== undefined && some.length < chunks.length) seen.shared += 1;
          if (change !== undefined && some.some((chunk) => isPartKey(chunk.key) && chunk.raw === stub))
            seen.stubs += 1;
          const whole = change ?? editChunks(chunks, edits, { isPlain, isWhole: true, sizes });
          text = Buffer.concat(editText(text, edits).chunks);
          if (whole === undefined) throw new Error("All chunks are always enough");
          chunks = apply(chunks, whole);
          expect(toText(chunks).toString()).toBe(text.toString());
          // The chunks equal the chunks of the whole text with the same long values. If several nodes have
          // the same name, only some of them may be split, so such texts are left out.
          const heads = chunks.filter(({ entry, key }) => entry > 0 && key !== "" && isNodeKey(key));
          if (new Set(heads.map(({ key }) => key)).size < heads.length) continue;
          const parts = new Set(chunks.map(({ key }) => key).filter(isPartKey));
          expect(chunks.map(({ key, raw }) => [key, raw])).toEqual(
            splitText(text, undefined, parts, { node: Number.MAX_VALUE, value: Number.MAX_VALUE }).map(
              ({ key, raw }) => [key, raw],
            ),
          );
        }
      }),
      { numRuns: 300 },
    );
    // The property would also hold if some kind of window never occurred. Therefore, every kind must have
    // occurred.
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
  });
});
