import type { Tier } from "@foundry-mcp/contract";

/** The role of a principal: one of the registry's `roles`; each role includes the rights of the preceding roles. */
export type Role = string;

/** An authenticated caller. */
export interface Principal {
  /** Identifies the caller in logs, rate limits and the archive. */
  readonly id: string;
  /** @default the `role` of the registry */
  readonly role?: Role | undefined;
  /** @default the `tier` of the registry */
  readonly tier?: Tier | undefined;
}

const authenticated = new WeakSet<Principal>();

/** Marks a principal as authenticated by this toolkit. */
export function markAuthenticated(principal: Principal): Principal {
  authenticated.add(principal);
  return principal;
}

/** True for a principal that this toolkit authenticated; a principal created by other code is not trusted. */
export function isAuthenticated(principal: unknown): principal is Principal {
  return typeof principal === "object" && principal !== null && authenticated.has(principal as Principal);
}

/** The principal id of all callers of a server without authentication: the user of the local machine. */
export const localPrincipal = "local";
