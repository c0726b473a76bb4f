import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changesSince } from "../../../specs/model/diff/changes-since.ts";
import { SpecModel } from "../../../specs/model/spec-model.ts";
import { arbitrarySpec } from "../../../specs/model/testing/arbitrary-spec.ts";
import { applyChanges } from "./apply-changes.ts";

/** A spec as JSON. A file may leave out an empty journal. */
const toJson = ({ document, journal }: SpecModel) =>
  JSON.parse(JSON.stringify({ ...document, journal })) as object;

describe("applyChanges", () => {
  it("turns any revision of a spec into any other", () => {
    fc.assert(
      fc.property(arbitrarySpec({ maxNodes: 30 }), arbitrarySpec({ maxNodes: 30 }), (first, second) => {
        const before = new SpecModel(first);
        const after = new SpecModel({ ...second, spec_id: before.id });
        const changes = JSON.parse(JSON.stringify(changesSince(before, after)));
        expect(toJson(applyChanges(before, changes))).toEqual(toJson(after));
      }),
    );
  });

  it("keeps the objects of unchanged nodes, and the order of all nodes", () => {
    fc.assert(
      fc.property(arbitrarySpec({ maxNodes: 30 }), fc.nat(), (document, pick) => {
        const before = new SpecModel(document);
        const id = before.ids[pick % before.ids.length] ?? "";
        const after = before.after([{ op: "set", path: ["hierarchy", id, "title"], value: "Renamed" }]);
        const shown = applyChanges(before, JSON.parse(JSON.stringify(changesSince(before, after))));
        expect(shown.node(id)?.title).toBe("Renamed");
        expect(shown.order).toBe(before.order);
        for (const other of before.ids)
          if (other !== id) expect(shown.node(other)?.raw).toBe(before.node(other)?.raw);
      }),
    );
  });
});
