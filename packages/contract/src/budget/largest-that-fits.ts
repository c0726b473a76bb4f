/** A setting that was tried and fits. */
interface Attempt<T> {
  readonly result: T;
  readonly tokens: number;
}

/** Enough to come within about one per cent of the budget; each attempt writes a text of the budget's size. */
const maxAttempts = 12;

/**
 * Returns the result of approximately the largest setting that fits; null when not even the smallest
 * does. The next guess is interpolated from the size of the last fitting result, so few attempts are needed.
 */
export function largestThatFits<T>(
  smallest: number,
  largest: number,
  budget: number,
  attempt: (setting: number) => Attempt<T> | null,
): T | null {
  let best = attempt(smallest);
  if (best === null) return null;
  let low = smallest;
  let high = largest;
  for (let attempts = 1; attempts < maxAttempts && high - low > Math.max(1, low / 100); attempts++) {
    const growth = budget / Math.max(1, best.tokens);
    if (growth < 1.01) break;
    // The empty response gives no ratio to interpolate from: most texts have two characters per token.
    const guess = low === 0 ? 2 * budget : Math.floor(low * growth * 0.99);
    const isUseful = guess > low && guess < high && attempts % 3 !== 0;
    const setting = isUseful ? guess : Math.floor((low + high) / 2);
    const next = attempt(setting);
    if (next === null) high = setting;
    else {
      best = next;
      low = setting;
    }
  }
  return best.result;
}
