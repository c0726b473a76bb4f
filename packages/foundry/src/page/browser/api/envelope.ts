import type { UnknownRecord } from "@foundry-mcp/contract";
import { withoutRequests } from "./without-requests.ts";

/** An answer of the server as the page reads it. */
export type Answer<T = UnknownRecord> =
  | { readonly ok: true; readonly data: T; readonly warnings: readonly string[]; readonly raw: unknown }
  | { readonly ok: false; readonly error: CallError };

/** A failed call, in words that can be shown. */
export interface CallError {
  /** The code of the envelope; `OFFLINE` if no server answered, `NO_ENVELOPE` if the answer is something else. */
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  /** The task that the remedy works on. */
  readonly task?: { readonly specId: string; readonly id: string } | undefined;
  readonly details: UnknownRecord;
  readonly status: number;
  readonly raw: unknown;
}

const isObject = (value: unknown): value is UnknownRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the object, or an empty one for any other value. */
export function toRecord(value: unknown): UnknownRecord {
  return isObject(value) ? value : {};
}

/** Returns the text, or an empty one for any other value. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the list, or an empty one for any other value. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads an envelope. Each member is checked, because a proxy may answer in place of the server. */
export function toAnswer<T = UnknownRecord>(raw: unknown, status: number): Answer<T> {
  const { success, data, error, meta } = toRecord(raw);
  if (success === true && isObject(data)) {
    const warnings = toList(toRecord(meta)["warnings"]).filter((each) => typeof each === "string");
    return { ok: true, data: data as T, warnings, raw };
  }
  if (success === false) {
    const { error_code: code, remediation, remedy, details } = toRecord(data);
    const { spec_id, task_id } = toRecord(toRecord(remedy)["arguments"]);
    return {
      ok: false,
      error: {
        code: toText(code) || "UNKNOWN",
        message: toText(error) || "The call failed without a message",
        remedy: withoutRequests(toText(remediation)),
        ...(typeof spec_id === "string" && typeof task_id === "string"
          ? { task: { specId: spec_id, id: task_id } }
          : {}),
        details: toRecord(details),
        status,
        raw,
      },
    };
  }
  return { ok: false, error: noEnvelope(status, raw) };
}

/** The error of a call that no server answered. */
export function offline(cause: unknown): CallError {
  return {
    code: "OFFLINE",
    message: "The server does not answer",
    remedy: "Start it again with npx foundry-mcp serve. The page reconnects by itself.",
    details: {},
    status: 0,
    raw: String(cause),
  };
}

function noEnvelope(status: number, raw: unknown): CallError {
  return {
    code: "NO_ENVELOPE",
    message: `The answer (HTTP ${status}) is not an envelope`,
    remedy: "Check that this address leads to a Foundry server, and not to a proxy in front of it.",
    details: {},
    status,
    raw,
  };
}
