import { shortText, visibleText } from "./visible-text.ts";

/**
 * A text that anybody may have written. It stands apart from the direction of the text around it, and characters that
 * would hide are shown.
 */
export function Text({ text, max }: { readonly text: string; readonly max?: number }) {
  return <bdi class="text">{max === undefined ? visibleText(text) : shortText(text, max)}</bdi>;
}
