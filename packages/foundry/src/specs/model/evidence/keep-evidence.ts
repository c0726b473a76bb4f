import { validationError } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { requireEvidence } from "./require-evidence.ts";
import { requiresEvidence } from "./verification-record.ts";

/**
 * Makes a change leave no verification completed that demands evidence and has none, by whatever door it came: a
 * new type, a demand that is made afterwards, a box that is checked.
 */
export function guardEvidence<R>(plan: Plan<R>): Plan<R> {
  return (spec, context) => {
    const change = plan(spec, context);
    const touched = nodesIn(change.edits).filter((id) => mayConcern(spec, id, change.edits));
    if (touched.length === 0) return change;
    const after = spec.after(change.edits);
    for (const id of touched) {
      const node = after.node(id);
      if (isGated(node) && !isGated(spec.node(id))) requireEvidence(after, node, "complete");
    }
    return change;
  };
}

/** What verifications leave, and what nobody may write by hand. */
const evidence: readonly string[] = ["verification_history", "last_result", "last_verified_at"];

/** Refuses metadata that would pass for evidence. */
export function refuseForgedEvidence(kind: string, metadata: object | undefined): void {
  const forged = Object.keys(metadata ?? {}).find((key) => evidence.includes(key));
  if (forged === undefined) return;
  throw validationError(
    { field: `metadata.${forged}`, constraint: "evidence" },
    {
      message: `Cannot set ${forged} of the ${kind}: it is evidence, which only a verification leaves`,
      remediation: 'Record one with verification(action="add") or verification(action="execute").',
    },
  );
}

function isGated(node: SpecNode | undefined): node is SpecNode {
  return node !== undefined && node.status === "completed" && requiresEvidence(node);
}

function nodesIn(edits: readonly Edit[]): readonly string[] {
  const ids = edits.flatMap(({ path: [top, id] }) =>
    top === "hierarchy" && typeof id === "string" ? [id] : [],
  );
  return [...new Set(ids)];
}

/** Most changes concern no verification, and need not be looked at as a whole. */
function mayConcern(spec: SpecModel, id: string, edits: readonly Edit[]): boolean {
  if (spec.node(id)?.type === "verify") return true;
  return edits.some(({ path }) => path[1] === id && (path.length === 2 || path[2] === "type"));
}
