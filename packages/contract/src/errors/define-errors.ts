import { ContractError, type FailureOptions, withoutUndefined } from "./contract-error.ts";
import {
  type ErrorCatalogue,
  type ErrorCode,
  type ErrorEntry,
  errorCatalogue,
  firstOfType,
  lookUpCode,
} from "./error-catalogue.ts";
import { lookUpType } from "./error-types.ts";

/** The definition of a server's own error code. If `v1` is missing, the envelope-v1 code of the error type is used. */
export type ErrorDefinition = Omit<ErrorEntry, "v1" | "sentAs"> & Partial<Pick<ErrorEntry, "v1">>;

/** The built-in error codes together with a server's own error codes. */
export interface DefinedErrors<Own extends string> {
  /**
   * The catalogue of the built-in codes and the server's own codes; pass this catalogue to `toHttpStatus`,
   * `isRetryable`, `toProblemDetails` and `toEnvelopeV1`.
   */
  readonly catalogue: Readonly<Record<ErrorCode | Own, ErrorEntry>>;
  /** Creates an error with one of the codes; the type and the remediation come from the catalogue. */
  error(code: ErrorCode | Own, message: string, options?: Omit<FailureOptions, "errorCode">): ContractError;
}

/**
 * Adds a server's own error codes to the built-in ones.
 *
 * @example
 * const errors = defineErrors({ BUILD_BROKEN: { type: "conflict", remediation: "Read build(action=\"log\")." } });
 * throw errors.error("BUILD_BROKEN", "Build 41 is broken");
 */
export function defineErrors<const Own extends Readonly<Record<string, ErrorDefinition>>>(
  own: Own,
): DefinedErrors<keyof Own & string> {
  const catalogue: Record<string, ErrorEntry> = { ...errorCatalogue };
  for (const [code, definition] of Object.entries(own)) {
    if (!/^[A-Z][A-Z0-9_]*$/.test(code)) {
      throw new TypeError(`Cannot define error code "${code}": it must be in SCREAMING_SNAKE_CASE`);
    }
    if (lookUpCode(code) !== undefined)
      throw new TypeError(`Cannot define error code "${code}": it ships already`);
    if (lookUpType(definition.type) === undefined) {
      throw new TypeError(`Cannot define error code "${code}": there is no error type "${definition.type}"`);
    }
    catalogue[code] = { v1: firstOfType(definition.type)[1].v1, ...definition };
  }
  return {
    catalogue: catalogue as Readonly<Record<ErrorCode | (keyof Own & string), ErrorEntry>>,
    error: (code, message, options) => {
      const { type: errorType, remediation } =
        lookUpCode(code, catalogue as ErrorCatalogue) ?? errorCatalogue.INTERNAL_ERROR;
      return new ContractError(message, {
        errorType,
        remediation,
        ...withoutUndefined(options),
        errorCode: code,
      });
    },
  };
}
