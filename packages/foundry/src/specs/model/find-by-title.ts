/** A spec or a node, as people name it. */
export interface Titled {
  readonly id: string;
  readonly title: string;
}

/** The minimum length of a text that may be a part of a title. */
const minPart = 3;
/** The maximum number of ids that an error suggests. */
const maxFound = 3;

/**
 * Returns the ids of the specs or nodes that a person names by title: those with this title; if there are none, the first
 * few whose title contains the text. Case, punctuation and accents are ignored.
 */
export function findByTitle(
  written: string,
  items: readonly Titled[],
): { readonly ids: readonly string[]; readonly isExact: boolean } {
  const wanted = toPlain(written);
  const same = items.filter(({ title }) => wanted !== "" && toPlain(title) === wanted);
  const found =
    same.length > 0 || wanted.length < minPart
      ? same
      : items.filter(({ title }) => toPlain(title).includes(wanted));
  return { ids: found.slice(0, maxFound).map(({ id }) => id), isExact: same.length > 0 };
}

/** The maximum length of a text that is compared with titles. */
const maxLength = 1_000;

function toPlain(title: string): string {
  return title
    .slice(0, maxLength)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
