import { featureDisabled, warning } from "@foundry-mcp/contract";
import type { FlagVerdict } from "../flags/flags.ts";
import type { CallState } from "./call-state.ts";
import type { Target } from "./find-action.ts";

/** Refuses a call whose feature flag is off for the client; returns a promise if the flag source is asynchronous. */
export function checkFlag(state: CallState, { tool, action }: Target): undefined | Promise<void> {
  const { flags } = state.deps;
  const flag = action.definition.flag ?? tool.flag;
  if (flag === undefined) return undefined;
  // Without a flag source, the feature is off, because missing configuration must not enable it.
  if (flags === undefined) throw featureDisabled(flag);
  const verdict = flags.evaluate(flag, state.clientKey);
  if (verdict instanceof Promise) return verdict.then((found) => applyVerdict(state, flag, found));
  return applyVerdict(state, flag, verdict);
}

function applyVerdict(state: CallState, flag: string, verdict: FlagVerdict): undefined {
  if (!verdict.isEnabled) throw featureDisabled(flag, { details: { reason: verdict.reason } });
  if (verdict.state === "deprecated") {
    const message = `The feature ${flag} is deprecated and will be removed`;
    state.warn(warning("DEPRECATED_FIELD", message, { feature: flag }));
  }
  return undefined;
}
