import type { Role } from "../context/principal.ts";
import { highestRole, includesRole, roleNeeded } from "../context/roles.ts";
import { toolFault } from "../context/tool-fault.ts";
import { suggest } from "../text/did-you-mean.ts";
import type { CallState } from "./call-state.ts";
import type { Target } from "./find-action.ts";

/** Refuses a call whose action needs a higher role than the caller's. */
export function checkRole({ role, deps: { roles } }: CallState, { tool, action }: Target): void {
  const declared = action.definition.role ?? tool.role;
  if (declared === undefined && action.hints.readOnly) return;
  const needed = declared ?? highestRole(roles);
  if (includesRole(roles, role, needed)) return;
  const reason = declared === undefined ? "it may change something" : `it needs the role ${needed}`;
  throw roleNeeded(`call ${action.label}`, role, needed, reason);
}

/** Refuses a part of an action, such as a parameter, to callers below a role. */
export function requireRole(
  { role, deps: { roles } }: CallState,
  { action }: Target,
  needed: Role,
  part: string,
): void {
  if (!roles.includes(needed)) {
    throw toolFault(
      `Cannot ask for role "${needed}": this server has no such role. ${suggest(needed, roles)}`,
    );
  }
  if (includesRole(roles, role, needed)) return;
  throw roleNeeded(`use ${part} of ${action.label}`, role, needed, `it needs the role ${needed}`);
}
