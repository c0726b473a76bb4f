import { createHash } from "node:crypto";

const words =
  "the tide comes in over the sand and the boats turn on their chains while the wind goes round to the west".split(
    " ",
  );

/** Returns the given number of plain words. */
export function toWords(count: number): string {
  return Array.from({ length: count }, (_, index) => words[index % words.length]).join(" ");
}

const sections = Array.from({ length: 20 }, (_, index) => {
  const number = String(index + 1).padStart(2, "0");
  return { id: `sec-${number}`, title: `Section ${number}`, text: toWords(150) };
});

const text = JSON.stringify({ sections });

/** The only long payload of the good server, and the parts that its archive stores. */
export const handbook = {
  sections,
  archiveId: "arc_handbook",
  text,
  hash: toHash(text),
} as const;

/** Returns the hash of a text's bytes in the notation of the contract. */
export function toHash(content: string): string {
  return `sha256:${createHash("sha256").update(content, "utf8").digest("hex")}`;
}
