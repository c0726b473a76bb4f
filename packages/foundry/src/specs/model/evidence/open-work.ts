import { ContractError } from "@foundry-mcp/contract";
import { awaitedWork } from "../readiness.ts";
import { countOpen, howToFinish, toBrief } from "../require-ready.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { requiresEvidence } from "./verification-record.ts";

/**
 * Returns a warning if a verify node is started or completed before the verified work is done. Throws
 * INVALID_STATE if the node requires evidence, because evidence cannot exist before the work is done.
 */
export function warnOfOpenWork(spec: SpecModel, node: SpecNode, action: string): readonly string[] {
  const open = awaitedWork(spec, node);
  if (open === undefined) return [];
  if (!requiresEvidence(node))
    return [`${node.id} runs before the work that it verifies is done: ${countOpen(open)}`];
  throw new ContractError(`Cannot ${action} ${node.id}: it requires evidence, and ${countOpen(open)}`, {
    errorCode: "INVALID_STATE",
    ...howToFinish(spec, open),
    details: {
      task_id: node.id,
      status: node.status,
      evidence: "required",
      reason: "open_work",
      open_count: open.count,
      open: open.first.map(toBrief),
    },
  });
}
