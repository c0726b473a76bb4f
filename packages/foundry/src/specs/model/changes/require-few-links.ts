import { ContractError, isRecord } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import { dependencyFields } from "../known-values.ts";
import type { SpecModel } from "../spec-model.ts";
import { maxLinks } from "../text-limits.ts";

/** Throws if a spec would have more ids of dependencies than a store reads again. `after` is the spec after the edits. */
export function requireFewLinks(after: SpecModel, edits: readonly Edit[]): void {
  if (!edits.some(addsLinks)) return;
  let links = 0;
  for (const id of after.ids) links += countLinks(after.node(id)?.raw["dependencies"]);
  if (links <= maxLinks) return;
  throw new ContractError(
    `Cannot change spec "${after.id}": its lists of dependencies would have ${links} ids, more than the limit of ${maxLinks}`,
    {
      errorCode: "CONTENT_TOO_LARGE",
      remediation: "Make phases wait for each other instead of their tasks.",
      details: { spec_id: after.id, links, limit: maxLinks },
    },
  );
}

function addsLinks(edit: Edit): boolean {
  if (edit.op === "remove" || edit.path[0] !== "hierarchy") return false;
  const [, , field] = edit.path;
  if (field !== undefined) return field === "dependencies";
  return isRecord(edit.value) && countLinks(edit.value["dependencies"]) > 0;
}

function countLinks(dependencies: unknown): number {
  if (!isRecord(dependencies)) return 0;
  let count = 0;
  for (const field of dependencyFields) {
    const list = dependencies[field];
    if (Array.isArray(list)) count += list.length;
  }
  return count;
}
