import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits, type Edit } from "../../files/json-text/edit.ts";
import type { SpecDocument } from "./spec-document.ts";
import { SpecModel } from "./spec-model.ts";
import { arbitrarySpec, specOf } from "./testing/arbitrary-spec.ts";

/** Returns all data that a model provides. */
function tell(spec: SpecModel) {
  return {
    document: JSON.stringify(spec.document),
    order: spec.order,
    ids: spec.ids,
    nodes: spec.ids.map((id) => [spec.node(id), spec.tally(id), spec.positionOf(id)]),
    told: [spec.id, spec.title, spec.metadata, spec.journal],
  };
}

const word = fc.constantFrom("pending", "in_progress", "completed", "blocked", "odd");

/** Generates edits of a node or of the spec itself. Some of these edits change the tree. */
const arbitraryEdit = (ids: readonly string[]): fc.Arbitrary<Edit> =>
  fc.oneof(
    ...[
      fc
        .tuple(fc.constantFrom(...ids), word)
        .map(([id, value]): Edit => ({ op: "set", path: ["hierarchy", id, "status"], value })),
    ].flatMap((each) => [each, each, each]),
    fc
      .tuple(fc.constantFrom(...ids), fc.integer({ max: 9 }))
      .map(([id, value]): Edit => ({ op: "set", path: ["hierarchy", id, "metadata"], value: { value } })),
    fc.constantFrom(...ids).map((id): Edit => ({ op: "remove", path: ["hierarchy", id, "status"] })),
    fc
      .tuple(fc.constantFrom(...ids), fc.constantFrom("task", "phase", "research"))
      .map(([id, value]): Edit => ({ op: "set", path: ["hierarchy", id, "type"], value })),
    fc
      .constantFrom(...ids)
      .map((id): Edit => ({ op: "set", path: ["hierarchy", id, "children"], value: [] })),
    fc.string().map((value): Edit => ({ op: "set", path: ["title"], value })),
    fc.constantFrom(...ids).map((id): Edit => ({ op: "remove", path: ["hierarchy", `${id}x`] })),
    fc.constantFrom("new", "__proto__").map(
      (id): Edit => ({
        op: "set",
        path: ["hierarchy", id],
        value: { type: "task", status: "completed", children: [] },
      }),
    ),
  );

test("a spec after edits equals one that is parsed again", () => {
  const cases = arbitrarySpec({ maxNodes: 30 }).chain((document) =>
    fc.record({
      document: fc.constant(document),
      steps: fc.array(
        fc.record({
          edits: fc.array(arbitraryEdit(new SpecModel(document).ids), { maxLength: 4 }),
          // True if the model is read before the edit. A read must not change the results after the edit.
          isAsked: fc.boolean(),
        }),
        { maxLength: 8 },
      ),
    }),
  );
  fc.assert(
    fc.property(cases, ({ document, steps }) => {
      let spec = new SpecModel(document);
      let whole: SpecDocument = document;
      for (const { edits, isAsked } of steps) {
        if (isAsked) tell(spec);
        const before = isAsked ? tell(spec) : undefined;
        const after = spec.after(edits);
        whole = applyEdits(whole, edits);
        if (before !== undefined) expect(tell(spec)).toEqual(before);
        spec = after;
      }
      expect(tell(spec)).toEqual(tell(new SpecModel(whole)));
    }),
    { numRuns: 300 },
  );
});

test("a spec after many changes equals one that is parsed again", () => {
  const places = Array.from({ length: 600 }, (_, index) => `phase-1/task-1-${index + 1}`);
  const document = specOf("phase-1", ...places);
  let spec = new SpecModel(document);
  const { order } = spec;
  for (let index = 1; index <= 600; index++) {
    const path = ["hierarchy", `task-1-${index}`, "status"];
    spec = spec.after([{ op: "set", path, value: "completed" }]);
    expect(spec.tally("phase-1")).toEqual({ total: 600, completed: index });
  }
  expect(tell(spec)).toEqual(tell(new SpecModel(spec.document)));
  expect(spec.order).toBe(order);
});

test("an edit of a node that is not there is refused, as in the document", () => {
  const spec = new SpecModel(specOf("phase-1"));
  const edit: Edit = { op: "set", path: ["hierarchy", "task-9", "status"], value: "completed" };
  expect(() => spec.after([edit])).toThrow("Cannot set at hierarchy.task-9.status");
});

test.each([[undefined], [null], [[]]])("edits of a spec with %j for a hierarchy leave it so", (hierarchy) => {
  const document = { spec_id: "a", ...(hierarchy === undefined ? {} : { hierarchy }) };
  const after = new SpecModel(document).after([{ op: "set", path: ["title"], value: "A" }]);
  expect(after.document).toEqual({ ...document, title: "A" });
});
