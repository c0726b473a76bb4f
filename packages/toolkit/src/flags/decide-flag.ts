import { createHash } from "node:crypto";
import type { Flag, FlagSet } from "./flag-definition.ts";

/** The rules that decide a flag. `decideFlag` applies the first that matches. */
export type FlagRule =
  | "client_override"
  | "override"
  | "unknown"
  | "expired"
  | "blocked"
  | "not_allowed"
  | "dependency"
  | "allowed"
  | "percentage"
  | "default";

/** Whether a flag is on, and the rule that decided. */
export interface FlagDecision {
  readonly isEnabled: boolean;
  readonly reason: FlagRule;
}

/** The client and the time for which a flag is decided. */
export interface FlagSubject {
  readonly client: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Decides a flag for a client:
 *
 * 1. a client override decides, then a configured override;
 * 2. a flag that is not defined is off;
 * 3. past its end, `default` applies;
 * 4. a blocked client has it off;
 * 5. where there is an allow list, a client that is not in it has it off;
 * 6. with a dependency that is off for this client, it is off;
 * 7. a client in the allow list has it on, whatever the percentage;
 * 8. a percentage, where there is one, has it on for its share of clients and off for the rest;
 * 9. else `default` applies.
 */
export function decideFlag(set: FlagSet, name: string, subject: FlagSubject): FlagDecision {
  return decide(set, name, subject, new Map());
}

/** Memoizes decisions, since many flags may depend on the same one. */
function decide(
  set: FlagSet,
  name: string,
  subject: FlagSubject,
  decided: Map<string, FlagDecision>,
): FlagDecision {
  const known = decided.get(name);
  if (known !== undefined) return known;
  const isOn = (dependency: string) => decide(set, dependency, subject, decided).isEnabled;
  const decision = fromOverrides(set, name, subject) ?? fromDefinition(set, name, subject, isOn);
  decided.set(name, decision);
  return decision;
}

function fromOverrides(set: FlagSet, name: string, { client }: FlagSubject): FlagDecision | undefined {
  const forClient = set.clientOverrides.get(client)?.get(name);
  if (forClient !== undefined) return { isEnabled: forClient, reason: "client_override" };
  const forAll = set.overrides.get(name);
  return forAll === undefined ? undefined : { isEnabled: forAll, reason: "override" };
}

function fromDefinition(
  { flags }: FlagSet,
  name: string,
  { client, now }: FlagSubject,
  isOn: (dependency: string) => boolean,
): FlagDecision {
  const flag = flags.get(name);
  if (flag === undefined) return { isEnabled: false, reason: "unknown" };
  if (hasExpired(flag, now)) return { isEnabled: flag.default, reason: "expired" };
  if (flag.block.includes(client)) return { isEnabled: false, reason: "blocked" };
  const isAllowed = flag.allow.includes(client);
  if (flag.allow.length > 0 && !isAllowed) return { isEnabled: false, reason: "not_allowed" };
  if (!flag.dependencies.every(isOn)) return { isEnabled: false, reason: "dependency" };
  if (isAllowed) return { isEnabled: true, reason: "allowed" };
  if (flag.percentage !== undefined) {
    return { isEnabled: flagBucket(name, client) <= flag.percentage, reason: "percentage" };
  }
  return { isEnabled: flag.default, reason: "default" };
}

function hasExpired({ expiresAt }: Flag, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

/**
 * The bucket of a client in the rollout of a flag, from 1 to 100: stable for one flag and client, and
 * another one for the next flag, so that it is not always the same clients that go first.
 */
export function flagBucket(flag: string, client: string): number {
  // MD5 protects nothing here; it spreads evenly, and every language has it.
  const digest = createHash("md5").update(`${flag}:${client}`).digest();
  return digest.reduce((rest, byte) => (rest * 256 + byte) % 100, 0) + 1;
}
