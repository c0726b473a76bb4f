import type { Tier } from "@foundry-mcp/contract";

/** What a principal may do: an observer calls what changes nothing, a maintainer everything. */
export type Role = "observer" | "maintainer";

/** The roles, from the least to the most. */
export const roles: readonly Role[] = ["observer", "maintainer"];

/** Someone whose identity the surface has established. */
export interface Principal {
  /** Names them in logs and limits, and owns what their calls archive. */
  readonly id: string;
  /** @default the registry's role */
  readonly role?: Role | undefined;
  /** @default the registry's tier */
  readonly tier?: Tier | undefined;
}

const vouched = new WeakSet<Principal>();

/** Marks a principal as one whose identity this toolkit has established itself. */
export function markAuthenticated(principal: Principal): Principal {
  vouched.add(principal);
  return principal;
}

/** Whether this toolkit has established who it is: what others put in its place is only a name. */
export function isAuthenticated(principal: unknown): principal is Principal {
  return typeof principal === "object" && principal !== null && vouched.has(principal as Principal);
}

/** Whoever reaches a server that asks for no identity: the person whose machine it runs on. */
export const localPrincipal = "local";
