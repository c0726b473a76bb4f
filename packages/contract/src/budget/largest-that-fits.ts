/** A setting that was tried and whose result fits the budget. */
interface Attempt<T> {
  readonly result: T;
  readonly tokens: number;
}

/** The range of a setting, and the setting to try after the smallest. */
interface SettingRange {
  readonly smallest: number;
  readonly largest: number;
  /** @default a setting in proportion to the result of the smallest setting */
  readonly guess?: number;
}

/**
 * The maximum number of attempts. Twelve attempts find a result within about two per cent of the budget. More
 * attempts would be slow, because each attempt writes a text of the budget's size.
 */
const maxAttempts = 12;
/** The ratio of the budget to the tokens of a result below which no larger result is sought. */
const closeEnough = 1.02;

/**
 * Returns the result for approximately the largest setting that fits; null if not even the smallest setting fits.
 * The next guess is interpolated from the size of the last fitting result, so few attempts are needed.
 */
export function largestThatFits<T>(
  { smallest, largest, guess: first }: SettingRange,
  budget: number,
  attempt: (setting: number) => Attempt<T> | null,
): T | null {
  let best = attempt(smallest);
  if (best === null) return null;
  let low = smallest;
  let high = largest;
  for (let attempts = 1; attempts < maxAttempts && high - low > Math.max(1, low / 100); attempts++) {
    const growth = budget / Math.max(1, best.tokens);
    if (growth < closeEnough) break;
    const guess = Math.floor(low === smallest && first !== undefined ? first * 0.97 : low * growth * 0.99);
    // Near the budget, interpolation is always better than bisection.
    const isUseful = guess > low && guess < high && (attempts % 3 !== 0 || growth < 1.1);
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
