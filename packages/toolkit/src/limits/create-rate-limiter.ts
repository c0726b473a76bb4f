import { createHash } from "node:crypto";
import { requireWhole } from "../options/require-option.ts";
import { type Counter, createMemoryCounter } from "./counter.ts";
import { createPostgresCounters, type PostgresCounts } from "./postgres-counter.ts";
import { checkRule, type RateLimiter, type RateRule, refuse } from "./rate-limiter.ts";

/** The limits of calls per client and tool. */
export interface RateLimiterOptions extends RateRule {
  /**
   * Rules for individual tools by name, in which `_` and `-` are equivalent; false for a tool without a limit.
   * @default the same rule for every tool
   */
  readonly tools?: Readonly<Record<string, RateRule | false>> | undefined;
  /**
   * The maximum number of client and tool pairs that are counted separately, per rule; further clients share a quota.
   * @default 10,000
   */
  readonly maxKeys?: number | undefined;
  /** A database table in which several servers count calls together. @default calls are counted in this process */
  readonly postgres?: PostgresCounts | undefined;
}

/**
 * Creates a limiter that counts per client and tool, in this process or together with other processes in a database.
 *
 * @example
 * createRateLimiter({ limit: 100, periodSeconds: 60, tools: { import: { limit: 5, periodSeconds: 60 } } });
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  // If JavaScript code passes no options, the missing `limit` is reported as an invalid option.
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

/** Returns the key of a tool, in which `_` and `-` are equivalent. */
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

/** The maximum length of a client name in a key; a longer name is replaced by its hash. */
const maxNameLength = 64;

/**
 * Returns the key of a client and a tool. Clients choose their names, so the first word of the key distinguishes
 * names, hashes and shared keys.
 */
function keyOf(client: string, tool: string): string {
  if (client.length <= maxNameLength) return `name ${tool.length} ${tool} ${client}`;
  return `hash ${tool} ${createHash("sha256").update(client).digest("base64url")}`;
}
