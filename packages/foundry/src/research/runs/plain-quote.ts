/** The markup that Markdown and reStructuredText put around words. */
const replacements: readonly (readonly [RegExp, string])[] = [
  // Images and links: their text is kept.
  [/!?\[([^[\]]*)\](?:\([^()\s]*(?:\s+"[^"]*")?\)|\[[^[\]]*\])/g, "$1"],
  [/`([^`<>]+?)\s*<[^<>`]+>`_{1,2}/g, "$1"],
  [/(\*\*|__)(?=\S)([^*_]+?)(?<=\S)\1/g, "$2"],
  [/<\/?(?:a|b|br|code|em|i|kbd|li|p|span|strong|table|tbody|td|th|tr|ul|ol)\b[^<>]*>/gi, " "],
  // A backslash before punctuation is an escape of Markdown.
  [/\\(?=[!-/:-@[-`{-~])/g, ""],
  [/^(?:[-*+>]\s+)+/, ""],
  // Directives and roles of reStructuredText. The text of an admonition is kept.
  [/(?:^|\s)\.\. (?:attention|caution|danger|hint|important|note|seealso|tip|warning)::/g, " "],
  [/(?:^|\s)\.\. [\w-]+::(?:\s[^.!?]*)?$/g, ""],
  [/(?:^|\s)\.\. [\w-]+::\s*\S*/g, " "],
  [/:[a-z]+(?:[:+.-][a-z]+)*:(?=`)/g, ""],
  // Code is shown without its marks, because the claim is no markup.
  [/(`{1,2})(?=\S)([^`]+?)(?<=\S)\1(?!`)/g, "$2"],
  [/(?:`{3,}|~{3,})\w*/g, " "],
  [/\s+/g, " "],
];

/** Returns a quote as a reader sees it, without the markup and the escapes of its source. */
export function toPlainQuote(quote: string): string {
  let text = quote;
  for (const [pattern, replacement] of replacements) text = text.replace(pattern, replacement);
  return text.trim();
}
