/** Why a model gave nothing that can be used. */
export type ModelFailureReason = "unreachable" | "refused" | "too_slow" | "cut_off" | "too_long" | "garbage";

/**
 * A model that gave nothing that can be used; whoever asked goes on without it. It has no cause: those of others may
 * hold the key or the address, and what the server wrote may repeat them.
 */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly reason: ModelFailureReason;

  constructor(reason: ModelFailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
