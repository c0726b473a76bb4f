import { countDigestChars, type DigestText, type EvidenceSnippet } from "@foundry-mcp/contract/digest";
import type { Picked } from "./pick-sentences.ts";

/** What a digest is made of. */
export interface DigestMaterial {
  /** The best first. */
  readonly picked: readonly Picked[];
  /** How many quotes at most. */
  readonly snippets: number;
  readonly textOf: (picked: Picked) => string;
  readonly snippetOf: (picked: Picked) => EvidenceSnippet;
}

/** A digest has so many key points at most. */
export const mostKeyPoints = 5;
const summarySentences = 3;

/** As much as makes a digest that is shorter than so many code points; undefined where not even the least does. */
export function fitDigest(original: number, material: DigestMaterial): DigestTexts | undefined {
  const { picked } = material;
  // Never without the best: whoever gets no digest gets the whole text, which then is short.
  for (let most = picked.length; most > 0; most--) {
    const texts = toTexts(picked.slice(0, most), material);
    if (countDigestChars(texts) < original) return texts;
  }
  return undefined;
}

interface DigestTexts extends DigestText {
  readonly evidence_snippets: readonly EvidenceSnippet[];
}

function toTexts(picked: readonly Picked[], { snippets, textOf, snippetOf }: DigestMaterial): DigestTexts {
  return {
    summary: inOrder(picked.slice(0, summarySentences)).map(textOf).join(" "),
    key_points: inOrder(picked.slice(0, mostKeyPoints)).map(textOf),
    evidence_snippets: picked.slice(0, snippets).map(snippetOf),
  };
}

/** Whoever reads a summary reads it in the order of the text. */
function inOrder(picked: readonly Picked[]): readonly Picked[] {
  return picked.toSorted((a, b) => a.sentence - b.sentence);
}
