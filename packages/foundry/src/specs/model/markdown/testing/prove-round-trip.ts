import fc from "fast-check";
import { expect } from "vitest";
import { SpecModel } from "../../spec-model.ts";
import { parseMarkdown } from "../parse-markdown.ts";
import { toDraft } from "../to-draft.ts";
import { toMarkdown } from "../to-markdown.ts";
import { nastySpecs } from "./nasty-specs.ts";
import { withoutLines } from "./without-lines.ts";

/** Checks that the parser restores the draft of generated specs that were written as Markdown. */
export function proveRoundTrip(numRuns: number): void {
  fc.assert(
    fc.property(nastySpecs, (document) => {
      const spec = new SpecModel(document);
      const { draft, losses } = parseMarkdown(toMarkdown(spec));
      expect(losses).toEqual([]);
      expect(withoutLines(draft)).toEqual(toDraft(spec));
    }),
    { numRuns },
  );
}
