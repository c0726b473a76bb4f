import { shortText } from "./visible-text.ts";

/**
 * Returns a title in quotation marks, short enough for a line. Control characters isolate the text direction of the
 * title from the direction of the line.
 */
export function quoted(title: string): string {
  return `“\u{2068}${shortText(title, 60)}\u{2069}”`;
}
