import { timingSafeEqual } from "node:crypto";
import { type ContractError, unauthorized } from "@foundry-mcp/contract";
import type { Principal, Role } from "../context/principal.ts";
import { type HashedGrant, hashToken, parseGrants, type TokenGrant } from "./token-grant.ts";

/** The principal that sent a request, or the reason why it is refused. */
export type Identity =
  | { readonly principal: Principal; readonly refusal?: undefined }
  | {
      readonly refusal: ContractError;
      /** The challenge of RFC 6750. */
      readonly headers: { readonly "www-authenticate": string };
    };

/** Identifies callers by their bearer tokens. */
export interface Authenticator {
  identify(headers: Headers): Identity;
}

/** Creates the authenticator of a server; the realm is the server's name, and grants may give its roles. */
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
      if (token === undefined) {
        const refusal = unauthorized("A bearer token is required", { remediation });
        return { refusal, headers: { "www-authenticate": challenge } };
      }
      const principal = findPrincipal(hashed, token);
      if (principal !== undefined) return { principal };
      const refusal = unauthorized("The bearer token is not known here", { remediation });
      return { refusal, headers: { "www-authenticate": `${challenge}, error="invalid_token"` } };
    },
  };
}

const remediation = "Send the header Authorization: Bearer with a token that this server was given.";

/** Returns the token of an Authorization header, in any form; undefined where there is none. */
function bearerOf(authorization: string | null): string | undefined {
  return /^Bearer +(.*)$/i.exec(authorization ?? "")?.[1];
}

/** Compares the hash with every grant in constant time, so that the duration reveals nothing about a token. */
function findPrincipal(grants: readonly HashedGrant[], token: string): Principal | undefined {
  const sent = hashToken(token);
  let found: Principal | undefined;
  for (const { hash, principal } of grants) if (timingSafeEqual(hash, sent)) found = principal;
  return found;
}
