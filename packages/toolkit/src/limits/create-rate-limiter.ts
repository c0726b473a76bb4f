import { createHash } from "node:crypto";
import { requireWhole } from "../options/require-option.ts";
import { type Counter, createMemoryCounter } from "./counter.ts";
import { createPostgresCounters, type PostgresCounts } from "./postgres-counter.ts";
import { checkRule, type RateLimiter, type RateRule, refuse } from "./rate-limiter.ts";

/** The limits of calls per client and tool. */
export interface RateLimiterOptions extends RateRule {
  /** Rules of single tools by their names, in which `_` and `-` mean the same; false for a tool without a limit. @default the same rule for every tool */
  readonly tools?: Readonly<Record<string, RateRule | false>> | undefined;
  /** Clients and tools that are counted apart at one time, per rule; new clients past that share a quota. @default 10,000 */
  readonly maxKeys?: number | undefined;
  /** A table in which several servers count together. @default counts in this process */
  readonly postgres?: PostgresCounts | undefined;
}

/**
 * Creates a limiter that counts per client and tool, in this process or with others in a database.
 *
 * @example
 * createRateLimiter({ limit: 100, periodSeconds: 60, tools: { import: { limit: 5, periodSeconds: 60 } } });
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  // Without options, as JavaScript may call it, the limit is reported as missing.
  const { tools = {}, maxKeys = 10_000, postgres } = options ?? {};
  requireWhole(1, Number.MAX_SAFE_INTEGER, { maxKeys }, refuse);
  const countWith = postgres === undefined ? createMemoryCounter : createPostgresCounters(postgres);
  const createCounter = (policy: string, path: string, rule: RateRule): Counter => {
    checkRule(path, rule);
    return countWith({ policy, limit: rule.limit, periodSeconds: rule.periodSeconds }, maxKeys);
  };
  const defaultCounter = createCounter("default", "", options);
  requireDistinct(Object.keys(tools));
  const own = new Map(
    Object.entries(tools).map(([tool, rule]) => [
      toKey(tool),
      rule === false ? undefined : createCounter(tool, `tools.${tool}.`, rule),
    ]),
  );
  return {
    take(client, tool) {
      const key = toKey(tool);
      const counter = own.has(key) ? own.get(key) : defaultCounter;
      return counter?.take(keyOf(client, key), `shared ${key}`);
    },
  };
}

/** The key of a tool: `_` and `-` mean the same. */
function toKey(tool: string): string {
  return tool.replaceAll("_", "-");
}

function requireDistinct(tools: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const tool of tools) {
    const first = seen.get(toKey(tool));
    if (first !== undefined) {
      throw refuse(`tools.${first} and tools.${tool} mean the same tool`, "Leave one of them out.");
    }
    seen.set(toKey(tool), tool);
  }
}

/** The longest client name that is part of a key; a longer one is replaced by its hash. */
const maxNameLength = 64;

/** Clients choose their names: the first word keeps names, hashes and shared keys apart. */
function keyOf(client: string, tool: string): string {
  if (client.length <= maxNameLength) return `name ${tool.length} ${tool} ${client}`;
  return `hash ${tool} ${createHash("sha256").update(client).digest("base64url")}`;
}
