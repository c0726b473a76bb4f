import type { GatewayConfig, ToolRule } from "./gateway-config.ts";
import { matchesGlob } from "./glob.ts";

/** The settings that apply to one tool: all rules that match the tool, merged. Later rules override earlier ones. */
export interface ToolChoice extends Omit<ToolRule, "allow" | "shape"> {
  readonly isAllowed: boolean;
  /** True if answers are converted to envelopes. If false, answers are passed on unchanged. */
  readonly isShaped: boolean;
}

/** Returns the name that patterns are compared with: `server__tool`. */
export function toFullName(server: string, tool: string): string {
  return `${server}__${tool}`;
}

/**
 * Merges the rules that match a tool. If any rule of the file has `allow: true`, only tools that match such a rule are
 * allowed.
 */
export function chooseTool({ tools }: GatewayConfig, server: string, tool: string): ToolChoice {
  const name = toFullName(server, tool);
  const isListed = tools.some(([, rule]) => rule.allow === true);
  let merged: ToolRule = { allow: !isListed };
  for (const [pattern, rule] of tools) if (matchesGlob(pattern, name)) merged = { ...merged, ...rule };
  const { allow = true, shape = true, ...rest } = merged;
  return { ...rest, isAllowed: allow, isShaped: shape };
}
