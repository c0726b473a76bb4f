import type { Tier } from "@foundry-mcp/contract";

/** The role of a principal: one of the registry's `roles`, each of which includes those before it. */
export type Role = string;

/** An authenticated caller. */
export interface Principal {
  /** Identifies the caller in logs, rate limits and the archive. */
  readonly id: string;
  /** @default the registry's role */
  readonly role?: Role | undefined;
  /** @default the registry's tier */
  readonly tier?: Tier | undefined;
}

const authenticated = new WeakSet<Principal>();

/** Marks a principal as authenticated by this toolkit. */
export function markAuthenticated(principal: Principal): Principal {
  authenticated.add(principal);
  return principal;
}

/** True for a principal that this toolkit authenticated; one that other code created is only a name. */
export function isAuthenticated(principal: unknown): principal is Principal {
  return typeof principal === "object" && principal !== null && authenticated.has(principal as Principal);
}

/** The id of the caller of a server without authentication: the user of the local machine. */
export const localPrincipal = "local";
