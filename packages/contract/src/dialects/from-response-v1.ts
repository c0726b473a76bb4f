import type { Envelope } from "../envelope/envelope.ts";
import { errorResponse } from "../envelope/error-response.ts";
import { successResponse } from "../envelope/success-response.ts";
import { isRecord, setOwn, type UnknownRecord } from "../json/json-value.ts";
import { responseV1Keys } from "./response-v1.ts";

const ownKeys: readonly string[] = responseV1Keys;

/** Reads a response-v1 answer: what stands beside `success` is the payload. */
export function fromResponseV1(answer: UnknownRecord): Envelope {
  const data: Record<string, unknown> = {};
  for (const key of Object.keys(answer)) if (!ownKeys.includes(key)) setOwn(data, key, answer[key]);
  if (answer["success"] === true) return successResponse(data);
  const { error } = answer;
  const message =
    typeof error === "string" && error.trim() !== "" ? error : "The tool failed without saying why";
  const fields =
    isRecord(data["details"]) || data["details"] === undefined
      ? data
      : { ...data, details: { value: data["details"] } };
  return errorResponse(message, { data: fields });
}
