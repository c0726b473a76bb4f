import type { FlagVerdict } from "./flags.ts";
import { isFresh } from "./is-fresh.ts";

/** Clients name themselves; a longer name is not kept, or ten thousand of them would fill the memory. */
const longestClient = 256;

interface Entry {
  readonly verdict: FlagVerdict;
  readonly since: number;
}

/** Verdicts that need not be asked for again for a second, by flag and client. */
export class VerdictCache {
  readonly #entries = new Map<string, Entry>();
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
   * To be called before a verdict is asked for; what it gives keeps the answer. The verdict is as old as
   * the question, and one that was asked for before the cache was cleared is not kept.
   */
  expect(flag: string, client: string): (verdict: FlagVerdict) => void {
    const since = this.#now();
    const generation = this.#generation;
    return (verdict) => {
      if (generation !== this.#generation || client.length > longestClient) return;
      const key = toKey(flag, client);
      // Taken out first, so that the first key is always the one that was written longest ago.
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
