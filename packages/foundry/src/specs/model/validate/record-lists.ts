import { isRecord } from "@foundry-mcp/contract";
import { recordLists } from "../known-values.ts";
import type { SpecCheck } from "./check-context.ts";
import { quote } from "./quote.ts";

/** Checks the lists to which changes add records. A change that would replace another value there is refused. */
export const checkRecordLists: SpecCheck = ({ document, nodes }, add) => {
  const check = (path: readonly string[], value: unknown) => {
    if (value === undefined || value === null || Array.isArray(value)) return;
    add({
      code: "INVALID_LIST_TYPE",
      path,
      message: `The field ${path.at(-1) ?? ""} is ${quote(value)}, not a list`,
      remedy: "Make it a list.",
    });
  };
  check(["journal"], document["journal"]);
  const owners = [
    [[], document] as const,
    ...[...nodes].map(([id, node]) => [["hierarchy", id], node] as const),
  ];
  for (const [path, { metadata }] of owners)
    if (isRecord(metadata))
      for (const list of recordLists) check([...path, "metadata", list], metadata[list]);
};
