import type { Tier } from "@foundry-mcp/contract";
import type { Caller } from "../context/call.ts";
import { localPrincipal, type Role } from "../context/principal.ts";

/** What a server grants to callers whose principal says nothing else. */
export interface Grants {
  readonly role: Role;
  readonly tier: Tier;
}

/** Who owns what a call leaves behind. */
export function principalOf({ principal }: Caller): string {
  return principal?.id ?? localPrincipal;
}

/** What the caller may do. */
export function roleOf({ role }: Grants, { principal }: Caller): Role {
  return principal?.role ?? role;
}

/** What the caller has paid for. */
export function tierOf({ tier }: Grants, { principal }: Caller): Tier {
  return principal?.tier ?? tier;
}

/** The client that flags and limits count: who it is, else what it calls itself, else its connection. */
export function clientKeyOf({ principal, client, connection }: Caller): string {
  if (principal !== undefined) return principal.id;
  return client.name === "unknown" && connection !== undefined ? `connection ${connection}` : client.name;
}
