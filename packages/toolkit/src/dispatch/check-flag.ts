import { featureDisabled, warning } from "@foundry-mcp/contract";
import type { FlagVerdict } from "../flags/flags.ts";
import type { Journey } from "./call-state.ts";
import type { Target } from "./find-action.ts";

/** Lets a call pass whose feature is on for the client; a promise where that must be asked for. */
export function checkFlag(journey: Journey, { tool, action }: Target): undefined | Promise<void> {
  const { flags } = journey.host;
  const flag = action.definition.flag ?? tool.flag;
  if (flag === undefined) return undefined;
  // A flag that nothing decides is off: a feature must not open because its configuration is missing.
  if (flags === undefined) throw featureDisabled(flag);
  const verdict = flags.evaluate(flag, journey.clientKey);
  if (verdict instanceof Promise) return verdict.then((found) => judge(journey, flag, found));
  return judge(journey, flag, verdict);
}

function judge(journey: Journey, flag: string, verdict: FlagVerdict): undefined {
  if (!verdict.isEnabled) throw featureDisabled(flag, { details: { reason: verdict.reason } });
  if (verdict.state === "deprecated") {
    const message = `The feature ${flag} is deprecated and will be removed`;
    journey.warn(warning("DEPRECATED_FIELD", message, { feature: flag }));
  }
  return undefined;
}
