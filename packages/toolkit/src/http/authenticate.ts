import { timingSafeEqual } from "node:crypto";
import { type ContractError, unauthorized } from "@foundry-mcp/contract";
import type { Principal, Role } from "../context/principal.ts";
import { type HashedGrant, hashToken, parseGrants, type TokenGrant } from "./token-grant.ts";

/** The principal that sent a request, or the reason why it is refused. */
export type Identity =
  | { readonly principal: Principal; readonly refusal?: undefined }
  | {
      readonly refusal: ContractError;
      /** The challenge of RFC 6750, sent with the refusal. */
      readonly headers: { readonly "www-authenticate": string };
    };

/** Identifies callers by their bearer tokens. */
export interface Authenticator {
  identify(headers: Headers): Identity;
}

/**
 * Creates the authenticator of a server; the realm is the server's name, and grants may use only the server's
 * roles.
 */
export function createAuthenticator(
  grants: readonly TokenGrant[],
  realm: string,
  roles: readonly Role[],
): Authenticator {
  const hashed = parseGrants(grants, roles);
  const challenge = `Bearer realm="${realm.replace(/[^\x20-\x7e]|["\\]/g, "_")}"`;
  return {
    identify(headers) {
      const token = bearerOf(headers.get("authorization"));
      if (token === undefined)
        return { refusal: refuse("missing"), headers: { "www-authenticate": challenge } };
      const grant = findGrant(hashed, token);
      const isExpired = grant?.expiresAt !== undefined && grant.expiresAt <= Date.now();
      if (grant !== undefined && !isExpired) return { principal: grant.principal };
      const refusal = refuse(isExpired ? "expired" : "wrong");
      return { refusal, headers: { "www-authenticate": `${challenge}, error="invalid_token"` } };
    },
  };
}

const messages = {
  missing: "A bearer token is required",
  wrong: "The bearer token is not known here",
  expired: "The bearer token has expired",
} as const;
const remediation = "Send the header Authorization: Bearer with a token that this server was given.";

/** Creates a refusal; its reason tells a web page whether to ask the user for a first or for another token. */
function refuse(reason: keyof typeof messages): ContractError {
  return unauthorized(messages[reason], { remediation, details: { reason } });
}

/** Returns the token of an Authorization header without checking its syntax; undefined if there is none. */
function bearerOf(authorization: string | null): string | undefined {
  return /^Bearer +(.*)$/i.exec(authorization ?? "")?.[1];
}

/**
 * Finds the grant of a token. Compares its hash with every grant in constant time, so that the duration reveals
 * nothing about a token.
 */
function findGrant(grants: readonly HashedGrant[], token: string): HashedGrant | undefined {
  const sent = hashToken(token);
  let found: HashedGrant | undefined;
  for (const grant of grants) if (timingSafeEqual(grant.hash, sent)) found = grant;
  return found;
}
