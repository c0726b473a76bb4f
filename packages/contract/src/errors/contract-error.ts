import type { MetaOptions } from "../envelope/to-meta.ts";
import type { UnknownRecord } from "../json/json-value.ts";
import type { ErrorCode } from "./error-catalogue.ts";
import type { ErrorType } from "./error-types.ts";

/** What a failure can say beyond its message. */
export interface ErrorOptions
  extends Pick<
    MetaOptions,
    "requestId" | "rateLimit" | "telemetry" | "warnings" | "warningDetails" | "meta"
  > {
  /** @default "INTERNAL_ERROR" */
  readonly errorCode?: ErrorCode | (string & {}) | undefined;
  /** @default the code's type */
  readonly errorType?: ErrorType | (string & {}) | undefined;
  /** @default the code's remediation */
  readonly remediation?: string | undefined;
  readonly details?: UnknownRecord | undefined;
  /** What went wrong underneath: for the log, never for the wire. */
  readonly cause?: unknown;
  /** Further keys of `data`; they win over the options above. */
  readonly data?: UnknownRecord | undefined;
}

/** A failure on its way up: thrown by a handler, it becomes the envelope that `errorResponse` builds of the same arguments. */
export class ContractError extends Error {
  override readonly name = "ContractError";
  readonly options: ErrorOptions;

  constructor(message: string, options: ErrorOptions = {}) {
    const { cause, ...rest } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.options = rest;
  }

  /** The error code, such as `SPEC_NOT_FOUND`. */
  get code(): string {
    return this.options.errorCode ?? "INTERNAL_ERROR";
  }
}

/** True for a ContractError, also one that another copy of this package made. */
export function isContractError(value: unknown): value is ContractError {
  return value instanceof Error && value.name === "ContractError" && "options" in value;
}
