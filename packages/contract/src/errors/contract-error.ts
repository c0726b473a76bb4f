import type { MetaOptions } from "../envelope/meta-options.ts";
import type { ErrorCode } from "./error-catalogue.ts";
import type { ErrorType } from "./error-types.ts";
import { refuseWireNames } from "./option-names.ts";
import { type DescribeRemedy, fillRemedies, type Remedy, toRemedies } from "./remedy.ts";

/** The fields of a failure in addition to its message. */
export interface FailureOptions
  extends Pick<
    MetaOptions,
    "requestId" | "rateLimit" | "telemetry" | "warnings" | "warningDetails" | "meta"
  > {
  /** The error code. @default "INTERNAL_ERROR" */
  readonly errorCode?: ErrorCode | (string & {}) | undefined;
  /** The error type. @default the type of the error code */
  readonly errorType?: ErrorType | (string & {}) | undefined;
  /**
   * The next step for the caller, in one sentence. The placeholder `{1}` stands for the first remedy, `{2}` for the
   * second, and `{--name}` for a parameter of the failed call. Each surface replaces placeholders with the form that
   * its users type.
   * @default the remediation of the error code
   */
  readonly remediation?: string | undefined;
  /**
   * The remedies as data, the most likely one first. The first remedy is sent as `remedy`, the other remedies as
   * `other_remedies`.
   */
  readonly remedy?: Remedy | readonly Remedy[] | undefined;
  /** Formats the remedies in the remediation. @default as tool calls */
  readonly describeRemedy?: DescribeRemedy | undefined;
  readonly details?: object | undefined;
  /** The underlying error, which is logged and never sent. */
  readonly cause?: unknown;
  /** Additional keys of `data`; they override the other options. */
  readonly data?: object | undefined;
}

/**
 * An error that handlers throw to report a failure. The dispatch step converts the error to the envelope that
 * `errorResponse` builds from the same arguments.
 */
export class ContractError extends Error {
  override readonly name = "ContractError";
  readonly options: FailureOptions;

  constructor(message: string, options: FailureOptions = {}) {
    refuseWireNames("ContractError", options);
    const { cause, ...rest } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.options = rest;
  }

  /** The error code, such as `SPEC_NOT_FOUND`. */
  get code(): string {
    return this.options.errorCode ?? "INTERNAL_ERROR";
  }

  /**
   * The remediation that was passed to this error, with its remedies formatted as tool calls; undefined if no
   * remediation was passed.
   */
  get remediation(): string | undefined {
    const { remediation, remedy } = this.options;
    return remediation === undefined ? undefined : fillRemedies(remediation, toRemedies(remedy));
  }
}

/** True for a ContractError, including an error created by another copy of this package. */
export function isContractError(value: unknown): value is ContractError {
  try {
    return value instanceof Error && value.name === "ContractError" && "options" in value;
  } catch {
    return false;
  }
}

/**
 * Removes options that are undefined. Otherwise, spreading the options over defaults would replace a default with
 * undefined.
 */
export function withoutUndefined<T extends object>(options: T | null | undefined): T {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined)) as T;
}
