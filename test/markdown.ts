import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./source-files.ts";

/** Returns the text of a file in the project. */
export const readPage = (path: string): string => readFileSync(join(root, path), "utf8");

/** A row of a Markdown table, keyed by the words of its header. Code marks and escapes are removed. */
export type Row = Readonly<Record<string, string>>;

/** Returns the tables under a heading, up to the next heading of any level. */
export function tablesUnder(page: string, heading: string): Row[][] {
  const sections = withoutCode(readPage(page)).split(/^(?=#+ )/m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${page} has no heading "${heading}"`);
  return section
    .split(/\n\n+/)
    .filter((block) => block.startsWith("|"))
    .map((block) => {
      const [header = [], , ...rows] = block.trim().split("\n").map(toCells);
      return rows.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""])));
    });
}

function toCells(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => cell.trim().replaceAll("`", "").replaceAll("\\|", "|"));
}

/** Returns a page without its code blocks. */
export function withoutCode(text: string): string {
  return text.replace(/^```.*?^```$/gms, "");
}
