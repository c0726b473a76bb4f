import type { FlagVerdict } from "./flags.ts";

/** The time in milliseconds for which a flag verdict or a check of the flag file stays fresh. */
const maxAgeMs = 1_000;

/** Returns true if `since` is less than a second ago. Returns false if the clock was set back. */
export function isFresh(since: number, now: number): boolean {
  const age = now - since;
  return age >= 0 && age < maxAgeMs;
}

/**
 * The maximum length of a client name in the cache. Clients choose their names, and long names would fill
 * the memory.
 */
const maxClientLength = 256;

interface CachedVerdict {
  readonly verdict: FlagVerdict;
  readonly since: number;
}

/** Caches flag verdicts for a second, by flag and client. */
export class VerdictCache {
  readonly #entries = new Map<string, CachedVerdict>();
  readonly #now: () => number;
  readonly #limit: number;
  #generation = 0;

  constructor(now: () => number, limit = 10_000) {
    this.#now = now;
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(flag: string, client: string): FlagVerdict | undefined {
    const entry = this.#entries.get(toKey(flag, client));
    return entry !== undefined && isFresh(entry.since, this.#now()) ? entry.verdict : undefined;
  }

  /**
   * Registers the evaluation of a flag and returns the function that stores the verdict. The age of the
   * verdict is counted from the registration. If the cache is cleared before the verdict arrives, the verdict
   * is not stored.
   */
  expect(flag: string, client: string): (verdict: FlagVerdict) => void {
    const since = this.#now();
    const generation = this.#generation;
    return (verdict) => {
      if (generation !== this.#generation || client.length > maxClientLength) return;
      const key = toKey(flag, client);
      // The entry is deleted first, so that the map keeps its keys in the order of their last write.
      this.#entries.delete(key);
      const [oldest] = this.#entries.size < this.#limit ? [] : this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
      this.#entries.set(key, { verdict, since });
    };
  }

  clear(): void {
    this.#generation += 1;
    this.#entries.clear();
  }
}

function toKey(flag: string, client: string): string {
  return `${flag}\0${client}`;
}
