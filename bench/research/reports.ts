/** An answer of the research tool. */
export interface Envelope {
  readonly data: Readonly<Record<string, unknown>>;
}

/** Returns the envelope of a call's result, as a client receives it. */
export function readEnvelope(result: unknown): Envelope {
  const { content } = result as { content: readonly { readonly text: string }[] };
  return JSON.parse(content.map(({ text }) => text).join("\n"));
}

/**
 * Returns the documents that a report cites, in the order of the citations. They are read wherever the report has them, so
 * that the measure outlives a change of the report's form.
 */
export function citedDocuments({ data }: Envelope, prefix: string): readonly string[] {
  const sources = data["sources"] as readonly { readonly source_id: string; readonly name: string }[];
  const names = new Map(sources.map(({ source_id, name }) => [source_id, name.replace(prefix, "")]));
  const cited: string[] = [];
  JSON.stringify({ ...data, sources: undefined }, (_key, value: unknown) => {
    if (isCitation(value)) cited.push(requireName(names, value.source_id));
    return value;
  });
  return cited;
}

function requireName(names: ReadonlyMap<string, string>, id: string): string {
  const name = names.get(id);
  if (name === undefined) throw new Error(`The report cites ${id} but does not name it`);
  return name;
}

function isCitation(value: unknown): value is { readonly source_id: string; readonly locator: string } {
  return typeof value === "object" && value !== null && "source_id" in value && "locator" in value;
}
