import { type Tier, tiers, upgradeRequired, warning } from "@foundry-mcp/contract";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { toolFault } from "../context/tool-fault.ts";
import type { Journey } from "./call-state.ts";
import type { Target } from "./find-action.ts";

/** Lets a call pass whose action is open at the caller's tier. */
export function checkTier({ tier }: Journey, { tool, action }: Target): void {
  const needed = action.definition.tier ?? tool.tier;
  if (needed === undefined || reaches(tier, needed)) return;
  throw upgradeRequired(
    { feature: action.label, tier: needed },
    { remediation: `Upgrade to the ${needed} tier: nothing of ${action.label} is open below it.` },
  );
}

/**
 * Whether a feature of an action is open at a tier. Where it is not, the feature declares whether the
 * call fails or goes on without it and with a hint.
 */
export function checkFeature(journey: Journey, action: PreparedAction, name: string): boolean {
  const { features = {} } = action.definition;
  const feature = Object.hasOwn(features, name) ? features[name] : undefined;
  if (feature === undefined) {
    throw toolFault(`Cannot ask for feature "${name}": ${action.label} does not declare it`);
  }
  if (reaches(journey.tier, feature.tier)) return true;
  const reason = feature.reason ?? `${name} needs the ${feature.tier} tier`;
  if (feature.below !== "omit") throw upgradeRequired({ feature: name, tier: feature.tier, reason });
  // One hint each, however often the handler asks.
  const isTold = journey.warnings.some(
    ({ code, context }) => code === "UPGRADE_AVAILABLE" && context?.["feature"] === name,
  );
  if (!isTold) journey.warn(warning("UPGRADE_AVAILABLE", reason, { feature: name, tier: feature.tier }));
  return false;
}

/** The features of an action that are open at a tier, in the order in which they were declared. */
export function featuresAt(tier: Tier, action: PreparedAction): readonly string[] {
  return Object.entries(action.definition.features ?? {}).flatMap(([name, feature]) =>
    reaches(tier, feature.tier) ? [name] : [],
  );
}

function reaches(tier: Tier, needed: Tier): boolean {
  return tiers.indexOf(tier) >= tiers.indexOf(needed);
}
