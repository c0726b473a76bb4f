import type { PreparedAction, PreparedTool } from "../catalogue/prepared-tool.ts";
import type { Role } from "../context/principal.ts";
import { highestRole, includesRole, roleNeeded } from "../context/roles.ts";
import { toolFault } from "../context/tool-fault.ts";
import { suggest } from "../text/did-you-mean.ts";
import type { CallState } from "./call-state.ts";
import type { Target } from "./find-action.ts";

/** Refuses a call if its action needs a higher role than the role of the caller. */
export function checkRole({ role, deps: { roles } }: CallState, { tool, action }: Target): void {
  const needed = toNeededRole(roles, tool, action);
  if (needed === undefined || includesRole(roles, role, needed)) return;
  const declared = action.definition.role ?? tool.role;
  const reason = declared === undefined ? "it may change something" : `it needs the role ${needed}`;
  throw roleNeeded(`call ${action.label}`, role, needed, reason);
}

/** Returns the role that an action needs; undefined if callers of every role may call the action. */
export function toNeededRole(
  roles: readonly Role[],
  tool: PreparedTool,
  { definition, hints }: PreparedAction,
): Role | undefined {
  return definition.role ?? tool.role ?? (hints.readOnly ? undefined : highestRole(roles));
}

/** Refuses a part of an action, such as a parameter, to callers whose role is lower than the needed role. */
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
