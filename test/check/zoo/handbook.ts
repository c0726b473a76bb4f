import { createHash } from "node:crypto";

const words =
  "the tide comes in over the sand and the boats turn on their chains while the wind goes round to the west".split(
    " ",
  );

/** So many plain words. */
export function toWords(count: number): string {
  return Array.from({ length: count }, (_, index) => words[index % words.length]).join(" ");
}

const sections = Array.from({ length: 20 }, (_, index) => {
  const number = String(index + 1).padStart(2, "0");
  return { id: `sec-${number}`, title: `Section ${number}`, text: toWords(150) };
});

const text = JSON.stringify({ sections });

/** The one long payload of the good server, and what its archive keeps of it. */
export const handbook = {
  sections,
  archiveId: "arc_handbook",
  text,
  hash: toHash(text),
} as const;

/** The hash of a text's bytes, as the contract writes it. */
export function toHash(content: string): string {
  return `sha256:${createHash("sha256").update(content, "utf8").digest("hex")}`;
}
