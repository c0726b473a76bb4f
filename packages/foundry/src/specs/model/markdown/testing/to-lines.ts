import type { Draft, DraftNode, Fields } from "../draft.ts";

/** Formats a draft with one line per field. */
export function toLines({ specId, title, fields, notes, nodes }: Draft): readonly string[] {
  return [
    `${title ?? "(no title)"}${specId === undefined ? "" : ` = ${specId}`}${toText(fields)}`,
    ...Object.entries(notes).flatMap(([key, list]) =>
      list.map(({ text, facts }) => `${key}: ${text}${toText(facts)}`),
    ),
    ...nodes.flatMap((node) => nodeLines(node, "")),
  ];
}

function nodeLines(node: DraftNode, indent: string): readonly string[] {
  const { line, id, type, title, status, fields, children } = node;
  const start = `${indent}${line} ${status ?? "-"}${type === undefined ? "" : ` ${type}`}`;
  return [
    `${start} ${title}${id === undefined ? "" : ` = ${id}`}${toText(fields)}`,
    ...children.flatMap((child) => nodeLines(child, `${indent}  `)),
  ];
}

function toText(fields: Fields): string {
  return Object.keys(fields).length === 0 ? "" : ` ${JSON.stringify(fields)}`;
}
