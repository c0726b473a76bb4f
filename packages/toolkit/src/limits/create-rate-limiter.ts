import { createHash } from "node:crypto";
import { type Counter, createMemoryCounter } from "./memory-counter.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { checkRule, type RateRule, requireWhole } from "./rate-rule.ts";

/** How often clients may call. */
export interface RateLimiterOptions extends RateRule {
  /** Rules of single tools by their names; false for a tool without a limit. @default the same rule for every tool */
  readonly tools?: Readonly<Record<string, RateRule | false>> | undefined;
  /** Clients and tools that are counted apart at one time, per rule; new clients past that share a quota. @default 10,000 */
  readonly maxKeys?: number | undefined;
}

/**
 * Creates a limiter that counts in this process, per client and tool.
 *
 * @example
 * createRateLimiter({ limit: 100, periodSeconds: 60, tools: { import: { limit: 5, periodSeconds: 60 } } });
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { tools = {}, maxKeys = 10_000 } = options;
  requireWhole("maxKeys", maxKeys, Number.MAX_SAFE_INTEGER);
  const createCounter = (policy: string, path: string, rule: RateRule): Counter => {
    checkRule(path, rule);
    return createMemoryCounter({ policy, limit: rule.limit, periodSeconds: rule.periodSeconds }, maxKeys);
  };
  const usual = createCounter("default", "", options);
  const own = new Map(
    Object.entries(tools).map(([tool, rule]) => [
      tool,
      rule === false ? undefined : createCounter(tool, `tools.${tool}.`, rule),
    ]),
  );
  return {
    take(client, tool) {
      const counter = own.has(tool) ? own.get(tool) : usual;
      return counter?.take(keyOf(client, tool), `shared ${tool}`);
    },
  };
}

/** Longer names are kept as their hash, so that a key is never longer than this and a tool's name. */
const longestName = 64;

/** A client can call itself anything: the first words keep tools, names, hashes and what is shared apart. */
function keyOf(client: string, tool: string): string {
  if (client.length <= longestName) return `name ${tool.length} ${tool} ${client}`;
  return `hash ${tool} ${createHash("sha256").update(client).digest("base64url")}`;
}
