import type { Edit } from "../../files/json-text/edit.ts";
import type { SpecModel } from "../model/spec-model.ts";

/** How many nodes the history names. */
const mostNamed = 3;

/** The nodes that edits are about; what is above them changes along with them. */
export function nodesOf(edits: readonly Edit[], after: SpecModel): readonly string[] {
  const ids = new Set(
    edits.flatMap(({ path: [top, id] }) => (top === "hierarchy" && typeof id === "string" ? [id] : [])),
  );
  const above = new Set(
    [...ids].flatMap((id) =>
      after
        .ancestry(id)
        .slice(1)
        .map((node) => node.id),
    ),
  );
  return [...ids].filter((id) => !above.has(id)).slice(0, mostNamed);
}
