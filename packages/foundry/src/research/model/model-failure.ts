/** The reason why a model returned no usable answer. */
export type ModelFailureReason = "unreachable" | "refused" | "too_slow" | "cut_off" | "too_long" | "garbage";

/**
 * An error for a model that returned no usable answer. Callers then use the extracted digest. The error has no
 * `cause`, because the original error may contain the key or the address.
 */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly reason: ModelFailureReason;

  constructor(reason: ModelFailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
