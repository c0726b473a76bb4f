import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SpecModel } from "../../../specs/model/spec-model.ts";
import { arbitrarySpec, specOf } from "../../../specs/model/testing/arbitrary-spec.ts";
import { tasksOf } from "../model/filter.ts";
import { toWorkOrder } from "./ranks.ts";

describe("toWorkOrder", () => {
  it("places a task after its blockers, and after all tasks of the phase that its phase waits for", () => {
    const model = new SpecModel(
      specOf("phase-1", "phase-1/a", "phase-1/b < a", "phase-2 < phase-1", "phase-2/c", "phase-2/d < a"),
    );
    const { ranks, criticalPath } = toWorkOrder(model);
    expect(["a", "b", "c", "d"].map((id) => ranks.get(id))).toEqual([0, 1, 2, 2]);
    expect(criticalPath).toEqual(["a", "b", "c"]);
  });

  it("places every task of any spec, also if tasks wait for each other in a cycle", () => {
    fc.assert(
      fc.property(arbitrarySpec({ maxNodes: 40 }), (document) => {
        const model = new SpecModel(document);
        const { ranks, criticalPath } = toWorkOrder(model);
        expect(tasksOf(model).filter(({ id }) => !((ranks.get(id) ?? -1) >= 0))).toEqual([]);
        expect(new Set(criticalPath).size).toBe(criticalPath.length);
      }),
    );
  });
});
