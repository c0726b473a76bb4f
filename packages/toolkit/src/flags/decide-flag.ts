import { flagBucket } from "./flag-bucket.ts";
import type { Flag, FlagSet } from "./flag-definition.ts";

/** What decides a flag. The order is that of `decideFlag`: the first that applies. */
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

/** Whether a flag is on, and the rule that says so. */
export interface FlagDecision {
  readonly isEnabled: boolean;
  readonly reason: FlagRule;
}

/** Who asks for a flag, and when. */
export interface FlagQuestion {
  readonly client: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Decides a flag for a client:
 *
 * 1. a client override, then a configured override, says on or off;
 * 2. a flag that is not defined is off;
 * 3. past its end, `default` applies;
 * 4. a blocked client has it off;
 * 5. where there is an allow list, a client that is not in it has it off;
 * 6. with a dependency that is off for this client, it is off;
 * 7. a client in the allow list has it on, without a look at the percentage;
 * 8. a percentage, where there is one, says on for its share of clients and off for the rest;
 * 9. else `default` applies.
 */
export function decideFlag(set: FlagSet, name: string, question: FlagQuestion): FlagDecision {
  return decide(set, name, question, new Map());
}

/** Keeps what it has found, since many flags may depend on the same one. */
function decide(
  set: FlagSet,
  name: string,
  question: FlagQuestion,
  found: Map<string, FlagDecision>,
): FlagDecision {
  const known = found.get(name);
  if (known !== undefined) return known;
  const isOn = (dependency: string) => decide(set, dependency, question, found).isEnabled;
  const decision = fromOverrides(set, name, question) ?? fromDefinition(set, name, question, isOn);
  found.set(name, decision);
  return decision;
}

function fromOverrides(set: FlagSet, name: string, { client }: FlagQuestion): FlagDecision | undefined {
  const forClient = set.clientOverrides.get(client)?.get(name);
  if (forClient !== undefined) return { isEnabled: forClient, reason: "client_override" };
  const forAll = set.overrides.get(name);
  return forAll === undefined ? undefined : { isEnabled: forAll, reason: "override" };
}

function fromDefinition(
  { flags }: FlagSet,
  name: string,
  { client, now }: FlagQuestion,
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
