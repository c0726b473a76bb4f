import type { FlagVerdict } from "./flags.ts";

/** How long a verdict or a look at the flag file stays fresh. */
const maxAgeMs = 1_000;

/** Whether something is less than a second old; a clock that was set back makes it old. */
export function isFresh(since: number, now: number): boolean {
  const age = now - since;
  return age >= 0 && age < maxAgeMs;
}

/** The longest client name that is cached: clients choose their names, and long ones would fill the memory. */
const maxClientLength = 256;

interface CachedVerdict {
  readonly verdict: FlagVerdict;
  readonly since: number;
}

/** Caches verdicts for a second, by flag and client. */
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
   * Announces an evaluation and returns the function that stores its verdict. The verdict is as old as
   * this call, and is not stored where the cache was cleared in between.
   */
  expect(flag: string, client: string): (verdict: FlagVerdict) => void {
    const since = this.#now();
    const generation = this.#generation;
    return (verdict) => {
      if (generation !== this.#generation || client.length > maxClientLength) return;
      const key = toKey(flag, client);
      // Deleted first, so that the keys stay in the order of their last write.
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
