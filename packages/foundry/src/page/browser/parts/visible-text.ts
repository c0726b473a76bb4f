/**
 * Replaces characters that show nothing, or that change the order of the text around them, by characters that can be
 * seen. The texts of a spec may come from anybody.
 */
export function visibleText(text: string): string {
  return text.replace(quotedOrHidden, (each) => {
    if (each.length > 1) return each;
    const code = each.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : "\u{fffd}";
  });
}

/** Shortens a text for a place that shows a line or two of it. The browser would lay out all of it otherwise. */
export function shortText(text: string, max = 200): string {
  const visible = visibleText(text.length > max * 2 ? text.slice(0, max * 2) : text).replaceAll(/\s+/g, " ");
  return visible.length > max ? `${visible.slice(0, max).toWellFormed()}…` : visible;
}

// Controls except tab and line feed, and the characters that mark, embed, override or isolate a direction. A title in
// the form of `quoted` is not changed. The isolate around such a title is closed and contains none of these
// characters, so the title ends where a reader sees its end.
const quotedOrHidden =
  /“\u2068[^\p{Cc}\p{Bidi_Control}\ufeff]*\u2069”|(?![\t\n])[\p{Cc}\p{Bidi_Control}\ufeff]/gu;
