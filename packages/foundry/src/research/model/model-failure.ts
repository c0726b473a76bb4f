/** Why a model gave no usable answer. */
export type ModelFailureReason = "unreachable" | "refused" | "too_slow" | "cut_off" | "too_long" | "garbage";

/**
 * A model gave no usable answer; callers fall back to extraction. It has no `cause`: the original error may contain
 * the key or the address.
 */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly reason: ModelFailureReason;

  constructor(reason: ModelFailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
