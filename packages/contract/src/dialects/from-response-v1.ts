import type { Envelope } from "../envelope/envelope.ts";
import { errorResponse } from "../envelope/error-response.ts";
import { successResponse } from "../envelope/success-response.ts";
import { isRecord, setOwn, toText, type UnknownRecord } from "../json/json-value.ts";
import { responseV1Keys } from "./response-v1.ts";

/** Reads a response-v1 answer: what stands beside `success` is the payload. */
export function fromResponseV1(answer: UnknownRecord): Envelope {
  const data: Record<string, unknown> = {};
  for (const key of Object.keys(answer)) if (!responseV1Keys.includes(key)) setOwn(data, key, answer[key]);
  if (answer["success"] === true) return successResponse(data);
  const { error } = answer;
  const message =
    typeof error === "string" && error.trim() !== "" ? error : "The tool failed without saying why";
  for (const key of ["error_code", "error_type", "remediation"])
    if (data[key] !== undefined) data[key] = toText(data[key]);
  const { details } = data;
  if (details !== undefined && !isRecord(details)) data["details"] = { value: details };
  return errorResponse(message, { data });
}
