import { ErrorCode, type EvaluationDetails } from "@openfeature/server-sdk";
import { type FlagState, type FlagVerdict, flagStates } from "./flags.ts";

/** The verdict where a source fails: a feature must not open because its configuration is broken. */
export const failedVerdict: FlagVerdict = { isEnabled: false, reason: "error" };

/** Makes a verdict of what OpenFeature answers, whoever its provider is. */
export function toVerdict({
  value,
  reason,
  errorCode,
  flagMetadata,
}: EvaluationDetails<boolean>): FlagVerdict {
  if (errorCode === ErrorCode.FLAG_NOT_FOUND) return { isEnabled: false, reason: "unknown" };
  // The SDK does not check what a provider returns.
  if (errorCode !== undefined || reason === "ERROR" || typeof value !== "boolean") return failedVerdict;
  const state = flagStates.find((known) => known === flagMetadata["state"]);
  return { isEnabled: value, reason: toReason(reason), ...toState(state) };
}

/** OpenFeature writes `TARGETING_MATCH`; its `UNKNOWN` means that the provider does not say. */
function toReason(reason: unknown): string {
  if (typeof reason !== "string" || reason === "" || reason === "UNKNOWN") return "provider";
  return reason.slice(0, 60).toWellFormed().toLowerCase();
}

function toState(state: FlagState | undefined): { readonly state?: FlagState } {
  return state === undefined ? {} : { state };
}
