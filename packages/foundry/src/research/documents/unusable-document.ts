/** Why a source cannot be digested; document-failures.ts says what callers are told of each. */
export type UnusableReason =
  | "empty"
  | "binary"
  | "encrypted"
  | "broken"
  | "charset"
  | "no_reader"
  | "too_large"
  | "too_slow"
  | "unreachable"
  | "forbidden"
  | "not_found"
  | "not_file"
  | "is_folder";

/**
 * A source that cannot be digested: told by name, while the others go on. Reason and message are all that it is, so
 * that it can be told across threads.
 */
export class UnusableDocument extends Error {
  override readonly name = "UnusableDocument";
  readonly reason: UnusableReason;

  constructor(reason: UnusableReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
