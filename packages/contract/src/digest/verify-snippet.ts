import { codePointLength, sliceCodePoints } from "../text/code-points.ts";
import type { EvidenceSnippet } from "./digest-payload.ts";
import { parseLocator } from "./locator.ts";

/**
 * True when the canonical text holds the snippet's text at its locator, as Python's
 * `canonical_text[start:end] == snippet.text` has it; never throws.
 */
export function verifySnippet(
  canonicalText: string,
  snippet: Pick<EvidenceSnippet, "text" | "locator">,
): boolean {
  try {
    const { start, end } = parseLocator(snippet.locator);
    // A slice stops silently at the end of the text, a citation must not reach beyond it.
    return (
      end <= codePointLength(canonicalText) && sliceCodePoints(canonicalText, start, end) === snippet.text
    );
  } catch {
    return false;
  }
}
