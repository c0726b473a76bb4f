import type { GatewayConfig, ToolRule } from "./gateway-config.ts";
import { matchesGlob } from "./glob.ts";

/** The decision about one tool of an upstream: its rules merged, the last matching one first. */
export interface ToolChoice extends Omit<ToolRule, "allow" | "shape"> {
  readonly isAllowed: boolean;
  /** False if the answers are passed on as the upstream gave them. */
  readonly isShaped: boolean;
}

/** Returns the name of a tool that patterns are matched with: `server__tool`. */
export function toFullName(server: string, tool: string): string {
  return `${server}__${tool}`;
}

/** Decides about a tool; if any rule of the file has `allow: true`, only tools with such a rule are allowed. */
export function chooseTool({ tools }: GatewayConfig, server: string, tool: string): ToolChoice {
  const name = toFullName(server, tool);
  const isListed = tools.some(([, rule]) => rule.allow === true);
  let merged: ToolRule = { allow: !isListed };
  for (const [pattern, rule] of tools) if (matchesGlob(pattern, name)) merged = { ...merged, ...rule };
  const { allow = true, shape = true, ...rest } = merged;
  return { ...rest, isAllowed: allow, isShaped: shape };
}
