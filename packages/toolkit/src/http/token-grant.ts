import { createHash } from "node:crypto";
import { type Tier, tiers } from "@foundry-mcp/contract";
import { localPrincipal, type Principal, type Role, roles, vouchFor } from "../context/principal.ts";
import { nearest } from "../dispatch/nearest.ts";
import { refuseOption as refuse } from "./refuse-option.ts";

/** Who may call, and what they must send for it: the token itself or its hash. */
export interface TokenGrant {
  /** The token in plain: at least 16 letters, digits and `-._~+/=`. @default none, then `sha256` is needed */
  readonly token?: string | undefined;
  /** The token's hash in place of the token: `sha256:` and 64 hex digits. @default none, then `token` is needed */
  readonly sha256?: string | undefined;
  /** Names who calls with the token, in logs and limits; several tokens may name the same one. */
  readonly principal: string;
  /** @default the registry's role */
  readonly role?: Role | undefined;
  /** @default the registry's tier */
  readonly tier?: Tier | undefined;
}

/** A grant as the server keeps it: without the token. */
export interface KeptGrant {
  readonly hash: Buffer;
  readonly principal: Principal;
}

const keys: readonly (keyof TokenGrant)[] = ["token", "sha256", "principal", "role", "tier"];
const shortest = 16;
/** What can stand in a header after `Bearer`. */
const tokenForm = /^[A-Za-z0-9\-._~+/]+=*$/;
const hashForm = /^sha256:([0-9a-f]{64})$/i;

/** Reads the grants of a server; what is wrong with one is told without its token. */
export function readGrants(grants: readonly TokenGrant[]): readonly KeptGrant[] {
  if (!Array.isArray(grants)) throw refuse("tokens is no list", "List who may call, or leave tokens out.");
  if (grants.length === 0) {
    throw refuse("tokens is empty, so nobody could call", "Name a token, or leave tokens out.");
  }
  const seen = new Map<string, number>();
  return grants.map((grant, index) => {
    const kept = readGrant(grant, `tokens[${index}]`);
    const digits = kept.hash.toString("hex");
    const first = seen.get(digits);
    if (first !== undefined) {
      throw refuse(`tokens[${first}] and tokens[${index}] are the same token`, "Give each grant its own.");
    }
    seen.set(digits, index);
    return kept;
  });
}

/** The SHA-256 of a token. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function readGrant(grant: TokenGrant, path: string): KeptGrant {
  requireKnownKeys(grant, path);
  const { token, sha256, principal, role, tier } = grant;
  if (typeof principal !== "string" || principal.trim() === "") {
    throw refuse(`${path}.principal is blank`, "Name who calls with the token.");
  }
  if (principal === localPrincipal) {
    const why = "it would read what this machine's own users have archived";
    throw refuse(`${path}.principal is "${localPrincipal}": ${why}`, "Name who calls with the token.");
  }
  requireOneOf(`${path}.role`, role, roles);
  requireOneOf(`${path}.tier`, tier, tiers);
  if ((token === undefined) === (sha256 === undefined)) {
    throw refuse(`${path} needs one of token and sha256`, "Give the token, or its hash, and not both.");
  }
  const hash = sha256 === undefined ? readToken(token, path) : readHash(sha256, path);
  return {
    hash,
    principal: vouchFor({
      id: principal,
      ...(role === undefined ? {} : { role }),
      ...(tier === undefined ? {} : { tier }),
    }),
  };
}

/** A role that is misspelt would give all that the registry does. */
function requireKnownKeys(grant: unknown, path: string): void {
  const remediation = `Use ${keys.join(", ")}.`;
  if (typeof grant !== "object" || grant === null) throw refuse(`${path} is no object`, remediation);
  const unknown = Object.keys(grant).find((key) => !(keys as readonly string[]).includes(key));
  if (unknown === undefined) return;
  // What is long enough for a token may be one.
  if (unknown.length >= shortest) throw refuse(`${path} has a key that is not known`, remediation);
  const meant = nearest(unknown, keys);
  const guess = meant === undefined ? "" : `: did you mean ${meant}?`;
  throw refuse(`${path}.${unknown} is no key of it${guess}`, remediation);
}

function readToken(token: unknown, path: string): Buffer {
  const own = `${path}.token`;
  if (typeof token !== "string" || token.length < shortest) {
    throw refuse(`${own} is shorter than ${shortest} characters`, "Take a longer one: openssl rand -hex 32");
  }
  // Whoever saw the configuration could call with it.
  if (hashForm.test(token)) throw refuse(`${own} is a hash`, `Set it as ${path}.sha256.`);
  if (tokenForm.test(token)) return hashToken(token);
  throw refuse(`${own} cannot stand in a header`, "Use letters, digits and -._~+/ only.");
}

function readHash(sha256: unknown, path: string): Buffer {
  const digits = hashForm.exec(String(sha256))?.[1];
  if (digits !== undefined) return Buffer.from(digits, "hex");
  throw refuse(`${path}.sha256 is no hash`, "Write sha256: and the 64 hex digits of the token's SHA-256.");
}

function requireOneOf(name: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  throw refuse(`${name} "${String(value)}" is none of ${known.join(", ")}`, `Use ${known.join(" or ")}.`);
}
