import type { Outcome } from "@foundry-mcp/toolkit";
import type { Observation } from "./observation.ts";
import type { CountsByServer } from "./shared-counts.ts";

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

/** The number of codes of one upstream that are counted each, and the length of such a code. */
const maxCodes = 50;
const maxCodeLength = 64;
/** The code under which all other failures are counted. */
const otherCode = "OTHER";

const none: CallCounts = { calls: 0, failures: {}, chars_before: 0, chars_after: 0 };

/** Counts the calls of each upstream. */
export class CallCounter {
  readonly #counters = new Map<string, Counter>();
  /** The counts of other gateways, which `of` adds to those of this one. */
  others: readonly CountsByServer[] = [];

  add({ upstream = noUpstream, chars = 0 }: Observation, { envelope, text }: Outcome): void {
    const known = this.#counters.get(upstream);
    const counter = known ?? { calls: 0, failures: new Map<string, number>(), before: 0, after: 0 };
    if (known === undefined) this.#counters.set(upstream, counter);
    counter.calls += 1;
    counter.before += chars;
    counter.after += text.length;
    if (envelope.success) return;
    const code = toCountedCode(String(envelope.data.error_code), counter.failures);
    counter.failures.set(code, (counter.failures.get(code) ?? 0) + 1);
  }

  /** The counts of this gateway since it started. */
  get own(): CountsByServer {
    return Object.fromEntries([...this.#counters].map(([name, counter]) => [name, toCounts(counter)]));
  }

  /** Returns the counts of an upstream, of this gateway since it started and of the others. */
  of(upstream: string): CallCounts {
    const counter = this.#counters.get(upstream);
    const own = counter === undefined ? none : toCounts(counter);
    return this.others.reduce(
      (sum, counts) => (Object.hasOwn(counts, upstream) ? addCounts(sum, counts[upstream] ?? none) : sum),
      own,
    );
  }
}

/** Returns the code under which a failure is counted. Upstreams choose their codes, so the number of codes is limited. */
function toCountedCode(code: string, counted: ReadonlyMap<string, number>): string {
  if (counted.has(code)) return code;
  return counted.size < maxCodes && code.length <= maxCodeLength ? code : otherCode;
}

function toCounts({ calls, failures, before, after }: Counter): CallCounts {
  return { calls, failures: Object.fromEntries(failures), chars_before: before, chars_after: after };
}

function addCounts(one: CallCounts, other: CallCounts): CallCounts {
  const failures = new Map(Object.entries(one.failures));
  for (const [code, count] of Object.entries(other.failures))
    failures.set(code, (failures.get(code) ?? 0) + count);
  return {
    calls: one.calls + other.calls,
    failures: Object.fromEntries(failures),
    chars_before: one.chars_before + other.chars_before,
    chars_after: one.chars_after + other.chars_after,
  };
}
