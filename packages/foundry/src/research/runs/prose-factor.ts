/** Characters that code, tables and lists of options contain often, and sentences seldom. */
const codeCharacters = /[{}[\]<>()=|`$\\_*#@^~+/&%;]/g;

/** The share of such characters above which a quote is code or a table. */
const maxCodeShare = 0.08;
/** The share of its score that such a quote keeps: a reader of a report wants statements first. */
const codeFactor = 0.7;

/** Returns the factor for the score of a quote in a report: 1 for prose, less for code and tables. */
export function proseFactor(quote: string): number {
  const code = quote.match(codeCharacters)?.length ?? 0;
  return code > maxCodeShare * quote.length ? codeFactor : 1;
}
