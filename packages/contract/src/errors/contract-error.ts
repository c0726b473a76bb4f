import type { MetaOptions } from "../envelope/meta-options.ts";
import type { ErrorCode } from "./error-catalogue.ts";
import type { ErrorType } from "./error-types.ts";
import { refuseWireNames } from "./option-names.ts";
import { type DescribeRemedy, fillRemedies, type Remedy, toRemedies } from "./remedy.ts";

/** The fields of a failure beyond its message. */
export interface FailureOptions
  extends Pick<
    MetaOptions,
    "requestId" | "rateLimit" | "telemetry" | "warnings" | "warningDetails" | "meta"
  > {
  /** @default "INTERNAL_ERROR" */
  readonly errorCode?: ErrorCode | (string & {}) | undefined;
  /** @default the code's type */
  readonly errorType?: ErrorType | (string & {}) | undefined;
  /** One sentence that says what helps; `{1}` stands for the first remedy, `{2}` for the second. @default the code's */
  readonly remediation?: string | undefined;
  /** What helps, as data: the most likely first. It is sent as `remedy`, any others as `other_remedies`. */
  readonly remedy?: Remedy | readonly Remedy[] | undefined;
  /** Writes remedies into the remediation. @default as calls of tools */
  readonly describeRemedy?: DescribeRemedy | undefined;
  readonly details?: object | undefined;
  /** The underlying error: it is logged and never sent. */
  readonly cause?: unknown;
  /** Further keys of `data`; they override the options above. */
  readonly data?: object | undefined;
}

/** A failure that a handler throws; it becomes the envelope that `errorResponse` builds from the same arguments. */
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

  /** The remediation of its own, with its remedies as calls of tools; undefined where it has none. */
  get remediation(): string | undefined {
    const { remediation, remedy } = this.options;
    return remediation === undefined ? undefined : fillRemedies(remediation, toRemedies(remedy));
  }
}

/** True for a ContractError, including one that another copy of this package created. */
export function isContractError(value: unknown): value is ContractError {
  try {
    return value instanceof Error && value.name === "ContractError" && "options" in value;
  } catch {
    return false;
  }
}

/** Drops undefined options, so that spreading them over defaults does not hide a default. */
export function withoutUndefined<T extends object>(options: T | null | undefined): T {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined)) as T;
}
