import type { MetaOptions } from "../envelope/to-meta.ts";
import type { ErrorCode } from "./error-catalogue.ts";
import type { ErrorType } from "./error-types.ts";

/** What a failure can say beyond its message. */
export interface FailureOptions
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
  readonly details?: object | undefined;
  /** What went wrong underneath: for the log, never for the wire. */
  readonly cause?: unknown;
  /** Further keys of `data`; they win over the options above. */
  readonly data?: object | undefined;
}

/** A failure on its way up: thrown by a handler, it becomes the envelope that `errorResponse` builds of the same arguments. */
export class ContractError extends Error {
  override readonly name = "ContractError";
  readonly options: FailureOptions;

  constructor(message: string, options: FailureOptions = {}) {
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
  try {
    return value instanceof Error && value.name === "ContractError" && "options" in value;
  } catch {
    return false;
  }
}

/** Options without those that are undefined, so that they do not hide a default when spread over it. */
export function given<T extends object>(options: T | null | undefined): T {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined)) as T;
}
