import type { CliOption } from "./cli-option.ts";

/**
 * Names the arguments: a single file argument is called `file`; every other argument has the name of its parameter.
 */
export function argumentNames(positional: readonly CliOption[]): (option: CliOption) => string {
  const isOnlyFile = positional.filter(({ source }) => source === "file").length === 1;
  return ({ key, source }) => (source === "file" && isOnlyFile ? "file" : key);
}
