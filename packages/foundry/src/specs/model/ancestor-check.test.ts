import { expect, it } from "vitest";
import { createAncestorCheck, createBelowCheck } from "./ancestor-check.ts";
import { SpecModel } from "./spec-model.ts";

/**
 * The nodes of a spec with their parents. The list contains a node without a parent, a node with a missing
 * parent, and a cycle.
 */
const parents: Readonly<Record<string, string | null>> = {
  root: null,
  a: "root",
  b: "a",
  c: "b",
  orphan: "missing",
  x: "y",
  y: "z",
  z: "y",
  self: "self",
};
const hierarchy = Object.fromEntries(
  Object.entries(parents).map(([id, parent]) => [
    id,
    { type: "task", title: id, status: "pending", parent, children: [] },
  ]),
);
const ids = Object.keys(parents);

it.each([ids, ids.toReversed()])(
  "answers as the ancestry of each node does, whatever is asked first",
  (...order) => {
    for (const wanted of ids) {
      const spec = new SpecModel({ spec_id: "s", hierarchy } as never);
      const check = createAncestorCheck(spec, ({ id }) => id === wanted);
      const isBelow = createBelowCheck(spec, wanted);
      for (const id of order) {
        const line = spec.ancestry(id).map((node) => node.id);
        expect([wanted, id, check(id)]).toEqual([wanted, id, line.includes(wanted)]);
        expect([wanted, id, isBelow(id)]).toEqual([wanted, id, line.slice(1).includes(wanted)]);
      }
    }
  },
);
