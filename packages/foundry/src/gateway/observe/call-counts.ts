import type { Outcome } from "@foundry-mcp/toolkit";
import type { Observation } from "./observation.ts";

/** What was counted of the calls of one upstream. */
export interface CallCounts {
  readonly calls: number;
  readonly failures: Readonly<Record<string, number>>;
  /** The characters that the upstream answered. */
  readonly chars_before: number;
  /** The characters that clients received. */
  readonly chars_after: number;
}

interface Counter {
  calls: number;
  failures: Map<string, number>;
  before: number;
  after: number;
}

/** The name under which calls are counted that reached no upstream. */
export const noUpstream = "gateway";

/** Counts the calls of each upstream. */
export class CallCounter {
  readonly #counters = new Map<string, Counter>();

  add({ upstream = noUpstream, chars = 0 }: Observation, { envelope, text }: Outcome): void {
    const known = this.#counters.get(upstream);
    const counter = known ?? { calls: 0, failures: new Map<string, number>(), before: 0, after: 0 };
    if (known === undefined) this.#counters.set(upstream, counter);
    counter.calls += 1;
    counter.before += chars;
    counter.after += text.length;
    if (envelope.success) return;
    const code = String(envelope.data.error_code);
    counter.failures.set(code, (counter.failures.get(code) ?? 0) + 1);
  }

  /** Returns the counts of an upstream since the gateway started. */
  of(upstream: string): CallCounts {
    const { calls, failures, before, after } = this.#counters.get(upstream) ?? {
      calls: 0,
      failures: new Map<string, number>(),
      before: 0,
      after: 0,
    };
    return { calls, failures: Object.fromEntries(failures), chars_before: before, chars_after: after };
  }
}
