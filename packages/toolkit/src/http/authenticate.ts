import { timingSafeEqual } from "node:crypto";
import { type ContractError, unauthorized } from "@foundry-mcp/contract";
import type { Principal } from "../context/principal.ts";
import { hashToken, type KeptGrant, readGrants, type TokenGrant } from "./token-grant.ts";

/** Who sent a request, or why it is not served. */
export type Identity =
  | { readonly principal: Principal; readonly refusal?: undefined }
  | {
      readonly refusal: ContractError;
      /** The header that tells clients how to come back. */
      readonly headers: { readonly "www-authenticate": string };
    };

/** Knows callers by their tokens. */
export interface Authenticator {
  identify(headers: Headers): Identity;
}

/** Creates the authenticator of a server; the realm is the server's name. */
export function createAuthenticator(grants: readonly TokenGrant[], realm: string): Authenticator {
  const kept = readGrants(grants);
  const challenge = `Bearer realm="${realm.replace(/[^\x20-\x7e]|["\\]/g, "_")}"`;
  return {
    identify(headers) {
      const token = bearerOf(headers.get("authorization"));
      if (token === undefined) {
        const refusal = unauthorized("A bearer token is required", { remediation });
        return { refusal, headers: { "www-authenticate": challenge } };
      }
      const principal = findPrincipal(kept, token);
      if (principal !== undefined) return { principal };
      const refusal = unauthorized("The bearer token is not known here", { remediation });
      return { refusal, headers: { "www-authenticate": `${challenge}, error="invalid_token"` } };
    },
  };
}

const remediation = "Send the header Authorization: Bearer with a token that this server was given.";

/** What was sent as a token, whatever it looks like; undefined where none was. */
function bearerOf(authorization: string | null): string | undefined {
  return /^Bearer +(.*)$/i.exec(authorization ?? "")?.[1];
}

/** Hashes are compared, and every grant is: how long it takes tells nothing of any token. */
function findPrincipal(grants: readonly KeptGrant[], token: string): Principal | undefined {
  const sent = hashToken(token);
  let found: Principal | undefined;
  for (const { hash, principal } of grants) if (timingSafeEqual(hash, sent)) found = principal;
  return found;
}
