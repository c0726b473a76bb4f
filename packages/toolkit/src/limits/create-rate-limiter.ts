import { createHash } from "node:crypto";
import { requireWhole } from "../options/require-option.ts";
import type { Counter } from "./counter.ts";
import { createMemoryCounter } from "./memory-counter.ts";
import { createPostgresCounters } from "./postgres-counter.ts";
import type { PostgresCounts } from "./postgres-counts.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { checkRule, type RateRule, refuse } from "./rate-rule.ts";

/** How often clients may call. */
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
  // Called from JavaScript without options, it lacks a limit.
  const { tools = {}, maxKeys = 10_000, postgres } = options ?? {};
  requireWhole(1, Number.MAX_SAFE_INTEGER, { maxKeys }, refuse);
  const countWith = postgres === undefined ? createMemoryCounter : createPostgresCounters(postgres);
  const createCounter = (policy: string, path: string, rule: RateRule): Counter => {
    checkRule(path, rule);
    return countWith({ policy, limit: rule.limit, periodSeconds: rule.periodSeconds }, maxKeys);
  };
  const usual = createCounter("default", "", options);
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
      const counter = own.has(key) ? own.get(key) : usual;
      return counter?.take(keyOf(client, key), `shared ${key}`);
    },
  };
}

/** One form for the spellings that mean the same tool. */
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

/** Longer names are kept as their hash, so that a key is never longer than this and a tool's name. */
const longestName = 64;

/** A client can call itself anything: the first words keep tools, names, hashes and what is shared apart. */
function keyOf(client: string, tool: string): string {
  if (client.length <= longestName) return `name ${tool.length} ${tool} ${client}`;
  return `hash ${tool} ${createHash("sha256").update(client).digest("base64url")}`;
}
