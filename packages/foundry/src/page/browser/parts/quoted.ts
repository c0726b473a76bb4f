import { shortText } from "./visible-text.ts";

/** Returns a title in quotation marks, short enough for a line. The marks keep its direction apart from the line's. */
export function quoted(title: string): string {
  return `“\u{2068}${shortText(title, 60)}\u{2069}”`;
}
