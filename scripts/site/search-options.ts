/** The options of the search, which must be the same when the index is written and when it is read. */
export const searchOptions = {
  fields: ["heading", "title", "text"],
  storeFields: ["heading", "title"],
  searchOptions: {
    prefix: true,
    fuzzy: (term: string) => (term.length > 4 ? 0.15 : false),
    combineWith: "AND" as const,
    boost: { heading: 6, title: 4 },
  },
};
