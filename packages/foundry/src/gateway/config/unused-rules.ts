import { nearest } from "@foundry-mcp/contract/input";
import type { GatewayConfig } from "./gateway-config.ts";
import { matchesGlob } from "./glob.ts";
import { toFullName } from "./tool-choice.ts";

/** The servers and tools that the rules of a configuration can refer to. */
export interface RuleTargets {
  /** The names of all configured servers. */
  readonly servers: readonly string[];
  /** The full names of all known tools, including denied tools. */
  readonly tools: readonly string[];
  /** The servers whose tools are not known yet. A pattern may still match a tool of such a server. */
  readonly unlisted: readonly string[];
}

/**
 * Returns a message for each server name and tool pattern in the configuration that matches nothing, for example
 * because of a typo.
 */
export function findUnusedRules(config: GatewayConfig, targets: RuleTargets): readonly string[] {
  const { servers, tools, unlisted } = targets;
  const unknown = Object.keys(config.servers)
    .filter((name) => !servers.includes(name))
    .map((name) => `${toField("servers", name)} names no server${guess(name, servers)}`);
  const unmatched = config.tools
    .map(([pattern]) => pattern)
    .filter((pattern) => !tools.some((tool) => matchesGlob(pattern, tool)))
    .filter((pattern) => !unlisted.some((server) => mayMatch(pattern, server)))
    .map(
      (pattern) =>
        `${toField("tools", pattern)} matches no tool${guess(pattern, withBareNames(pattern, tools))}`,
    );
  return [...unknown, ...unmatched];
}

function toField(part: string, name: string): string {
  return `gateway.${part}[${JSON.stringify(name.slice(0, 100).toWellFormed())}]`;
}

/**
 * Returns the tools that have the pattern as their name without the server; returns all tools if there are none.
 * Writing `tool` instead of `server__tool` is the most common mistake.
 */
function withBareNames(pattern: string, tools: readonly string[]): readonly string[] {
  const bare = tools.filter((tool) => tool.endsWith(toFullName("", pattern)));
  return bare.length > 0 ? bare : tools;
}

function guess(written: string, names: readonly string[]): string {
  const [only, second] = names;
  const isBare = only !== undefined && second === undefined && only.endsWith(toFullName("", written));
  const found = isBare ? only : nearest(written, names);
  return found === undefined ? "" : `; did you mean ${found}?`;
}

/** Returns true if a pattern could match some tool of a server. Only the text before the first wildcard is compared. */
function mayMatch(pattern: string, server: string): boolean {
  const [literal = ""] = pattern.split(/[*?]/, 1);
  const prefix = toFullName(server, "");
  return literal === pattern
    ? pattern.startsWith(prefix)
    : literal.startsWith(prefix) || prefix.startsWith(literal);
}
