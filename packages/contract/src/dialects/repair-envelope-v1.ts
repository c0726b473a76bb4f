import { isRecord, type UnknownRecord } from "../json/json-value.ts";
import { envelopeV1Capability, tiers } from "./envelope-v1.ts";

/** Completes an envelope-v1 whose optional fields are absent or null, as some servers send it. */
export function repairEnvelopeV1(given: UnknownRecord): UnknownRecord {
  const { error } = given;
  const message = isRecord(error) ? error["error"] : error;
  const failure = isRecord(error) ? error : {};
  return {
    ...given,
    tier: tiers.find((tier) => tier === given["tier"]) ?? "community",
    tool_version: toText(given["tool_version"]),
    tool_id: toText(given["tool_id"]),
    request_id: toText(given["request_id"]),
    capabilities: isListOfTexts(given["capabilities"]) ? given["capabilities"] : [envelopeV1Capability],
    duration_ms: typeof given["duration_ms"] === "number" ? given["duration_ms"] : null,
    error:
      error === null || error === undefined
        ? null
        : {
            ...failure,
            error: toText(message),
            error_code: toText(failure["error_code"]) || "internal_error",
            error_details: isRecord(failure["error_details"]) ? failure["error_details"] : null,
          },
    upgrade_hints: Array.isArray(given["upgrade_hints"]) ? given["upgrade_hints"].filter(isHint) : [],
    data: given["data"] ?? null,
  };
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isHint(value: unknown): boolean {
  return isRecord(value) && ["feature", "tier", "reason"].every((key) => typeof value[key] === "string");
}
