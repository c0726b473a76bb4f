import { createHash } from "node:crypto";

/** Texts of others between lines that they cannot hold, so that nothing in them can pretend to stand outside. */
export interface Fenced {
  readonly text: string;
  /** What the lines hold, and no text. */
  readonly mark: string;
}

/** Fences texts by their names; the same texts are always fenced in the same way. */
export function fence(texts: Readonly<Record<string, string>>): Fenced {
  const all = Object.values(texts).join("\n");
  let mark = "";
  do {
    mark = createHash("sha256").update(mark).update(all).digest("hex").slice(0, 16);
  } while (all.includes(mark));
  const text = Object.entries(texts)
    .map(([name, each]) => `<<<${name} ${mark}\n${each}\n${name} ${mark}>>>`)
    .join("\n\n");
  return { text, mark };
}
