import { createHash } from "node:crypto";
import { type Tier, tiers } from "@foundry-mcp/contract";
import { localPrincipal, markAuthenticated, type Principal, type Role } from "../context/principal.ts";
import { requireOneOf } from "../options/require-option.ts";
import { nearest } from "../text/did-you-mean.ts";
import { refuseOption as refuse } from "./refuse-option.ts";

/** A caller and its bearer token: the token itself or its hash. */
export interface TokenGrant {
  /** The token in plain: at least 16 letters, digits and `-._~+/=`. @default none, then `sha256` is needed */
  readonly token?: string | undefined;
  /** The token's hash in place of the token: `sha256:` and 64 hex digits. @default none, then `token` is needed */
  readonly sha256?: string | undefined;
  /** The name of the caller in logs and limits; several tokens may have the same. */
  readonly principal: string;
  /** @default the registry's role */
  readonly role?: Role | undefined;
  /** @default the registry's tier */
  readonly tier?: Tier | undefined;
}

/** A grant as the server stores it: without the token. */
export interface HashedGrant {
  readonly hash: Buffer;
  readonly principal: Principal;
}

const keys: readonly (keyof TokenGrant)[] = ["token", "sha256", "principal", "role", "tier"];
const minTokenLength = 16;
/** The syntax of a bearer token (RFC 6750). */
const tokenForm = /^[A-Za-z0-9\-._~+/]+=*$/;
const hashForm = /^sha256:([0-9a-f]{64})$/i;

/** Parses the grants of a server with these roles; errors never contain a token. */
export function parseGrants(grants: readonly TokenGrant[], roles: readonly Role[]): readonly HashedGrant[] {
  if (!Array.isArray(grants)) throw refuse("tokens is no list", "List who may call, or leave tokens out.");
  if (grants.length === 0) {
    throw refuse("tokens is empty, so nobody could call", "Name a token, or leave tokens out.");
  }
  const seen = new Map<string, number>();
  return grants.map((grant, index) => {
    const parsed = parseGrant(grant, `tokens[${index}]`, roles);
    const digits = parsed.hash.toString("hex");
    const first = seen.get(digits);
    if (first !== undefined) {
      throw refuse(`tokens[${first}] and tokens[${index}] are the same token`, "Give each grant its own.");
    }
    seen.set(digits, index);
    return parsed;
  });
}

/** Returns the SHA-256 of a token. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function parseGrant(grant: TokenGrant, path: string, roles: readonly Role[]): HashedGrant {
  requireKnownKeys(grant, path);
  const { token, sha256, principal, role, tier } = grant;
  if (typeof principal !== "string" || principal.trim() === "") {
    throw refuse(`${path}.principal is blank`, "Name who calls with the token.");
  }
  if (principal === localPrincipal) {
    const why = "it would read what this machine's own users have archived";
    throw refuse(`${path}.principal is "${localPrincipal}": ${why}`, "Name who calls with the token.");
  }
  if (role !== undefined) requireName(roles, `${path}.role`, role);
  if (tier !== undefined) requireName(tiers, `${path}.tier`, tier);
  if ((token === undefined) === (sha256 === undefined)) {
    throw refuse(`${path} needs one of token and sha256`, "Give the token, or its hash, and not both.");
  }
  const hash = sha256 === undefined ? parseToken(token, path) : parseHash(sha256, path);
  return {
    hash,
    principal: markAuthenticated({
      id: principal,
      ...(role === undefined ? {} : { role }),
      ...(tier === undefined ? {} : { tier }),
    }),
  };
}

/** A misspelt `role` would otherwise grant the registry's role. */
function requireKnownKeys(grant: unknown, path: string): void {
  const remediation = `Use ${keys.join(", ")}.`;
  if (typeof grant !== "object" || grant === null) throw refuse(`${path} is no object`, remediation);
  const unknown = Object.keys(grant).find((key) => !(keys as readonly string[]).includes(key));
  if (unknown === undefined) return;
  // A key as long as a token may be a token.
  if (unknown.length >= minTokenLength) throw refuse(`${path} has a key that is not known`, remediation);
  const meant = nearest(unknown, keys);
  const guess = meant === undefined ? "" : `: did you mean ${meant}?`;
  throw refuse(`${path}.${unknown} is no key of it${guess}`, remediation);
}

/** Throws unless the value is a known name; one as long as a token is not repeated. */
function requireName(known: readonly string[], path: string, value: unknown): void {
  const isShown = typeof value === "string" && value.length < minTokenLength;
  requireOneOf(known, { [path]: value }, (fault, remediation) =>
    refuse(isShown ? fault : `${path} is none of ${known.join(", ")}`, remediation),
  );
}

function parseToken(token: unknown, path: string): Buffer {
  const own = `${path}.token`;
  if (typeof token !== "string" || token.length < minTokenLength) {
    throw refuse(
      `${own} is shorter than ${minTokenLength} characters`,
      "Take a longer one: openssl rand -hex 32",
    );
  }
  // Accepted as a token, the hash in the configuration would itself give access.
  if (hashForm.test(token)) throw refuse(`${own} is a hash`, `Set it as ${path}.sha256.`);
  if (tokenForm.test(token)) return hashToken(token);
  throw refuse(`${own} cannot stand in a header`, "Use letters, digits and -._~+/ only.");
}

function parseHash(sha256: unknown, path: string): Buffer {
  const digits = hashForm.exec(String(sha256))?.[1];
  if (digits !== undefined) return Buffer.from(digits, "hex");
  throw refuse(`${path}.sha256 is no hash`, "Write sha256: and the 64 hex digits of the token's SHA-256.");
}
