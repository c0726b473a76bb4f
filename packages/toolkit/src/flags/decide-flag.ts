import { createHash } from "node:crypto";
import type { Flag, FlagSet } from "./flag-definition.ts";

/** The rules that decide a flag. `decideFlag` applies the first rule that matches. */
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

/** The value of a flag, and the rule that decided it. */
export interface FlagDecision {
  readonly isEnabled: boolean;
  readonly reason: FlagRule;
}

/** The client and the time for which a flag is evaluated. */
export interface FlagSubject {
  readonly client: string;
  /** The time in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Decides a flag for a client by the first rule that applies:
 *
 * 1. An override for the client decides, or else an override for all clients.
 * 2. A flag that is not defined is off.
 * 3. After the expiry time of the flag, `default` decides.
 * 4. For a blocked client, the flag is off.
 * 5. If there is an allow list, the flag is off for clients that are not in the list.
 * 6. If another flag on which this flag depends is off for the client, this flag is off.
 * 7. For a client in the allow list, the flag is on, regardless of the percentage.
 * 8. If the flag has a percentage, the flag is on for that share of clients and off for all other clients.
 * 9. If no other rule applies, `default` decides.
 */
export function decideFlag(set: FlagSet, name: string, subject: FlagSubject): FlagDecision {
  return decide(set, name, subject, new Map());
}

/** Decides a flag and memoizes the decision, because many flags may depend on the same flag. */
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
 * Returns the bucket of a client in the rollout of a flag, from 1 to 100. For each flag, the bucket of a
 * client never changes. Buckets differ between flags, so that new features do not always reach the same
 * clients first.
 */
export function flagBucket(flag: string, client: string): number {
  // MD5 is used because it distributes values evenly and is available in every language. The bucket needs no
  // cryptographic security.
  const digest = createHash("md5").update(`${flag}:${client}`).digest();
  return digest.reduce((rest, byte) => (rest * 256 + byte) % 100, 0) + 1;
}
