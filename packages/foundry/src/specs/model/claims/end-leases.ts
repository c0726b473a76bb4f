import { ContractError } from "@foundry-mcp/contract";
import type { ChangeContext } from "../change.ts";
import { activeLease, type Lease } from "../lease.ts";
import type { ClaimGuard } from "./claim-guard.ts";

/**
 * Returns the changes that end all leases of a spec. Throws if an agent has claimed one of the tasks, unless
 * `force` is set.
 */
export function endAllLeases(
  specId: string,
  { leases, now }: Pick<ChangeContext, "leases" | "now">,
  { force }: Pick<ClaimGuard, "force">,
  action: string,
): Readonly<Record<string, null>> {
  const ids = [...leases.keys()];
  const held = ids.map((id) => activeLease(leases, id, now)).find((lease) => lease !== undefined);
  if (held !== undefined && force !== true) throw specHeldError(specId, action, held);
  return Object.fromEntries(ids.map((id) => [id, null]));
}

function specHeldError(spec_id: string, action: string, { task_id, holder, until }: Lease): ContractError {
  return new ContractError(`Cannot ${action} spec "${spec_id}": ${holder} holds ${task_id} until ${until}`, {
    errorCode: "CONFLICT",
    remediation:
      "Ask the holder to release it, or wait until the claim ends: {1}. A maintainer may pass {--force=true}.",
    remedy: { tool: "task", action: "wait", arguments: { spec_id, for: "change" } },
    details: { spec_id, task_id, holder, lease_until: until },
  });
}
