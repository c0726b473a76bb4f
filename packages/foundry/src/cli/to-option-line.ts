import { toShellCommand } from "@foundry-mcp/toolkit/cli";
import { type SettingName, toOption, toPrintable } from "../config/settings.ts";

/**
 * Formats a command with its options. Returns undefined if an option contains a secret, which must not be printed.
 */
export function toOptionLine(
  words: readonly string[],
  flags: Partial<Record<SettingName, string>>,
  last: readonly string[] = [],
): string | undefined {
  const options = Object.entries(flags) as [SettingName, string][];
  if (options.some(([name, value]) => toPrintable(name, value) !== value)) return undefined;
  return toShellCommand([...words, ...options.flatMap(([name, value]) => [toOption(name), value]), ...last]);
}
