/**
 * The reason why a document cannot be digested. The file document-failures.ts maps each reason to an error code and a
 * remediation.
 */
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
 * The error for a document that cannot be digested. It has only a reason and a message, so that it can be sent between
 * threads.
 */
export class UnusableDocument extends Error {
  override readonly name = "UnusableDocument";
  readonly reason: UnusableReason;

  constructor(reason: UnusableReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** The default maximum size of a document: 64 MiB. */
export const maxDocumentBytes = 64 * 2 ** 20;

/** Creates the error for a document that exceeds its maximum size. */
export function tooLarge(maxBytes: number): UnusableDocument {
  return new UnusableDocument("too_large", `It has more than ${maxBytes.toLocaleString("en")} bytes`);
}
