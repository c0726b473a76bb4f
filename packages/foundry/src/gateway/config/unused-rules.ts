import { nearest } from "@foundry-mcp/contract/input";
import type { GatewayConfig } from "./gateway-config.ts";
import { matchesGlob } from "./glob.ts";
import { toFullName } from "./tool-choice.ts";

/** The servers and tools that the rules of a configuration may name. */
export interface RuleTargets {
  /** The names of all configured servers. */
  readonly servers: readonly string[];
  /** The full names of the tools that are known, served or denied. */
  readonly tools: readonly string[];
  /** The servers whose tools are not known, so that a pattern for them may still match. */
  readonly unlisted: readonly string[];
}

/** Returns a sentence for each server and each pattern of a configuration that names nothing, such as a typo. */
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

/** A pattern without its server is the usual mistake, so the tools with exactly that name are preferred. */
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

/** True if a pattern could match a tool of a server: the text before its first wildcard fits the server's name. */
function mayMatch(pattern: string, server: string): boolean {
  const [literal = ""] = pattern.split(/[*?]/, 1);
  const prefix = toFullName(server, "");
  return literal === pattern
    ? pattern.startsWith(prefix)
    : literal.startsWith(prefix) || prefix.startsWith(literal);
}
