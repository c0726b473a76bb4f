import { createHash } from "node:crypto";
import { type Tier, tiers } from "@foundry-mcp/contract";
import { localPrincipal, markAuthenticated, type Principal, type Role } from "../context/principal.ts";
import { requireOneOf } from "../options/require-option.ts";
import { nearest } from "../text/did-you-mean.ts";
import { refuseOption as refuse } from "./refuse-option.ts";

/** A caller and its bearer token: the token itself or its hash. */
export interface TokenGrant {
  /**
   * The token in plain text: at least 16 characters from letters, digits and `-._~+/=`. Required unless `sha256` is
   * given.
   */
  readonly token?: string | undefined;
  /** The hash of the token: `sha256:` and 64 hex digits. Required unless `token` is given. */
  readonly sha256?: string | undefined;
  /** The name of the caller in logs and limits; several tokens may have the same name. */
  readonly principal: string;
  /** @default the `role` of the registry */
  readonly role?: Role | undefined;
  /** @default the `tier` of the registry */
  readonly tier?: Tier | undefined;
  /** The time from which the token is refused: a Date, or ISO 8601 with a time zone. @default never */
  readonly expires?: string | Date | undefined;
}

/** A grant as the server stores it, with the hash instead of the token. */
export interface HashedGrant {
  readonly hash: Buffer;
  readonly principal: Principal;
  /** The time in milliseconds from which the token is refused. */
  readonly expiresAt?: number | undefined;
}

const keys: readonly (keyof TokenGrant)[] = ["token", "sha256", "principal", "role", "tier", "expires"];
const minTokenLength = 16;
/** A pattern for the syntax of a bearer token (RFC 6750). */
const tokenForm = /^[A-Za-z0-9\-._~+/]+=*$/;
const hashForm = /^sha256:([0-9a-f]{64})$/i;

/** Parses the grants of a server with these roles; errors never contain a token. */
export function parseGrants(grants: readonly TokenGrant[], roles: readonly Role[]): readonly HashedGrant[] {
  if (!Array.isArray(grants)) throw refuse("tokens is not a list", "List who may call, or leave tokens out.");
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
  const { token, sha256, principal, role, tier, expires } = grant;
  if (typeof principal !== "string" || principal.trim() === "") {
    throw refuse(`${path}.principal is blank`, "Name who calls with the token.");
  }
  if (principal === localPrincipal) {
    const why = "it could read what local users of this machine have archived";
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
    ...(expires === undefined ? {} : { expiresAt: parseExpiry(expires, path) }),
    principal: markAuthenticated({
      id: principal,
      ...(role === undefined ? {} : { role }),
      ...(tier === undefined ? {} : { tier }),
    }),
  };
}

/** Refuses unknown keys, because a misspelt `role` would otherwise grant the registry's role. */
function requireKnownKeys(grant: unknown, path: string): void {
  const remediation = `Use ${keys.join(", ")}.`;
  if (typeof grant !== "object" || grant === null) throw refuse(`${path} is no object`, remediation);
  const unknown = Object.keys(grant).find((key) => !(keys as readonly string[]).includes(key));
  if (unknown === undefined) return;
  // An unknown key that is as long as a token may itself be a token, so it is not quoted.
  if (unknown.length >= minTokenLength) throw refuse(`${path} has a key that is not known`, remediation);
  const meant = nearest(unknown, keys);
  const guess = meant === undefined ? "" : `: did you mean ${meant}?`;
  throw refuse(`${path}.${unknown} is an unknown key${guess}`, remediation);
}

/** Throws unless the value is a known name; the error does not quote a value that is as long as a token. */
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
  // If a hash were accepted as a token, anyone who reads the hash in the configuration could use it as the token.
  if (hashForm.test(token)) throw refuse(`${own} is a hash`, `Set it as ${path}.sha256.`);
  if (tokenForm.test(token)) return hashToken(token);
  throw refuse(
    `${own} contains characters that are not allowed in a header`,
    "Use letters, digits and -._~+/ only.",
  );
}

/** An ISO 8601 time with a time zone; without a zone, the time would depend on the machine of the server. */
const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

function parseExpiry(expires: unknown, path: string): number {
  const isTime = expires instanceof Date || (typeof expires === "string" && timeForm.test(expires));
  const time = isTime ? new Date(expires).getTime() : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw refuse(`${path}.expires is no time`, "Write a time with its zone, such as 2030-01-31T12:00:00Z.");
}

function parseHash(sha256: unknown, path: string): Buffer {
  const digits = hashForm.exec(String(sha256))?.[1];
  if (digits !== undefined) return Buffer.from(digits, "hex");
  throw refuse(`${path}.sha256 is no hash`, "Write sha256: and the 64 hex digits of the token's SHA-256.");
}
