import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./source-files.ts";

/** The text of a file of the project. */
export const readPage = (path: string): string => readFileSync(join(root, path), "utf8");

/** A row of a Markdown table, by the words of its header; code marks and escapes are taken off. */
export type Row = Readonly<Record<string, string>>;

/** The tables that stand under a heading, up to the next heading of any level. */
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

/** A page without its blocks of code. */
export function withoutCode(text: string): string {
  return text.replace(/^```.*?^```$/gms, "");
}
