import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SpecModel } from "../spec-model.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { nastySpecs } from "./testing/nasty-specs.ts";
import { withoutLines } from "./testing/without-lines.ts";
import { toDraft } from "./to-draft.ts";
import { toMarkdown } from "./to-markdown.ts";

describe("toMarkdown", () => {
  test("is parsed back to the same draft, whatever the texts are", () => {
    fc.assert(
      fc.property(nastySpecs, (document) => {
        const spec = new SpecModel(document);
        const { draft, losses } = parseMarkdown(toMarkdown(spec));
        expect(losses).toEqual([]);
        expect(withoutLines(draft)).toEqual(toDraft(spec));
      }),
      { numRuns: 1000 },
    );
  });
});
