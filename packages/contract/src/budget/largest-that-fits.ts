/** One try that fits. */
export interface Attempt<T> {
  readonly result: T;
  readonly tokens: number;
}

/** Enough to come within about a hundredth of the budget; each try costs a text of the budget's size. */
const mostTries = 12;

/**
 * The result of the largest setting that fits, near enough; null when not even the smallest does. The
 * next guess comes from how full the last fitting one was, so few tries are needed.
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
  for (let tries = 1; tries < mostTries && high - low > Math.max(1, low / 100); tries++) {
    const room = budget / Math.max(1, best.tokens);
    if (room < 1.01) break;
    // Nothing is known yet after the empty answer: two characters to a token is where most end up.
    const guess = low === 0 ? 2 * budget : Math.floor(low * room * 0.99);
    const isUseful = guess > low && guess < high && tries % 3 !== 0;
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
