import { type ContractError, forbidden } from "@foundry-mcp/contract";
import type { RefuseOption } from "../options/require-option.ts";
import type { Role } from "./principal.ts";

/** The default roles of a server, lowest first. */
export const defaultRoles: readonly Role[] = ["observer", "maintainer"];

const roleForm = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

/** Returns the highest role, which may do everything. */
export function highestRole(roles: readonly Role[]): Role {
  return roles.at(-1) ?? "";
}

/** Throws unless the roles are a non-empty list of distinct names. */
export function requireRoles(roles: unknown, refuse: RefuseOption): void {
  const remediation = 'List the roles, lowest first: ["observer", "maintainer"].';
  if (!Array.isArray(roles) || roles.length === 0) throw refuse("roles names no role", remediation);
  for (const [index, role] of roles.entries()) {
    if (typeof role !== "string" || !roleForm.test(role)) {
      const form = "a letter, then at most 39 of A–Z, a–z, 0–9, _ and -";
      throw refuse(`roles[${index}] is no name: ${form}`, remediation);
    }
    if (roles.indexOf(role) < index) throw refuse(`roles has ${role} twice`, remediation);
  }
}

/**
 * True if `role` includes the rights of the other role. A role that the server does not know counts as the lowest.
 */
export function includesRole(roles: readonly Role[], role: Role, needed: Role): boolean {
  return Math.max(roles.indexOf(role), 0) >= roles.indexOf(needed);
}

/** Creates the failure of a call that needs a higher role; `reason` says why the role is needed. */
export function roleNeeded(attempt: string, role: Role, needed: Role, reason: string): ContractError {
  return forbidden(`Cannot ${attempt} as ${role}: ${reason}`, {
    remediation: `Call with a token of the role ${needed}, or use what the role ${role} may call.`,
    details: { role, needed_role: needed },
  });
}
