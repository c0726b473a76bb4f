/** The result for one setting, with its number of tokens. Attempts that exceed the budget are null instead. */
interface Attempt<T> {
  readonly result: T;
  readonly tokens: number;
}

/** The range of a setting, such as the number of rows, and the setting to try after the smallest one. */
interface SettingRange {
  readonly smallest: number;
  readonly largest: number;
  /** @default the smallest setting, scaled by the ratio of the budget to its tokens */
  readonly guess?: number;
}

/**
 * The maximum number of attempts. Twelve attempts use all but about two per cent of the budget. More attempts would be
 * slow, because each attempt serializes a response of about the budget's size.
 */
const maxAttempts = 12;
/** The search ends when the budget is less than this many times the tokens of the best result. */
const closeEnough = 1.02;

/**
 * Finds the largest setting whose result fits the budget, approximately. Returns null if even the smallest setting does
 * not fit. The next setting is extrapolated from the tokens of the last fitting result, which needs fewer attempts than
 * bisection.
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
    // Every third step bisects, in case extrapolation makes little progress. Near the budget, extrapolation is always
    // better.
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
