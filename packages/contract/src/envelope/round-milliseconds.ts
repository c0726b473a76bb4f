/** A duration with at most three decimals: more would claim a precision that no clock has. */
export function roundMilliseconds(duration: number): number {
  const rounded = Math.round(duration * 1_000) / 1_000;
  return Number.isFinite(rounded) ? rounded : duration;
}
