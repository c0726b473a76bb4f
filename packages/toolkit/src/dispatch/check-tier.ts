import { type Tier, tiers, upgradeRequired, warning } from "@foundry-mcp/contract";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { toolFault } from "../context/tool-fault.ts";
import type { CallState } from "./call-state.ts";
import type { Target } from "./find-action.ts";

/** Refuses a call if its action needs a higher tier than the tier of the caller. */
export function checkTier({ tier }: CallState, { tool, action }: Target): void {
  const needed = action.definition.tier ?? tool.tier;
  if (needed === undefined || reaches(tier, needed)) return;
  throw upgradeRequired(
    { feature: action.label, tier: needed },
    { remediation: `Upgrade to the ${needed} tier: no part of this action is available below it.` },
  );
}

/**
 * Returns true if the caller's tier includes a feature of the action. If not, the feature's declaration decides whether
 * the call fails or continues without the feature, with an upgrade hint.
 */
export function checkFeature(state: CallState, action: PreparedAction, name: string): boolean {
  const { features = {} } = action.definition;
  const feature = Object.hasOwn(features, name) ? features[name] : undefined;
  if (feature === undefined) {
    throw toolFault(`Cannot ask for feature "${name}": ${action.label} does not declare it`);
  }
  if (reaches(state.tier, feature.tier)) return true;
  const reason = feature.reason ?? `${name} needs the ${feature.tier} tier`;
  if (feature.below !== "omit") throw upgradeRequired({ feature: name, tier: feature.tier, reason });
  // Add one hint per feature, even if the handler checks the feature repeatedly.
  const isReported = state.warnings.some(
    ({ code, context }) => code === "UPGRADE_AVAILABLE" && context?.["feature"] === name,
  );
  if (!isReported) state.warn(warning("UPGRADE_AVAILABLE", reason, { feature: name, tier: feature.tier }));
  return false;
}

/** Lists the features that an action declares and a tier includes, in the order of their declaration. */
export function featuresAt(tier: Tier, action: PreparedAction): readonly string[] {
  return Object.entries(action.definition.features ?? {}).flatMap(([name, feature]) =>
    reaches(tier, feature.tier) ? [name] : [],
  );
}

function reaches(tier: Tier, needed: Tier): boolean {
  return tiers.indexOf(tier) >= tiers.indexOf(needed);
}
