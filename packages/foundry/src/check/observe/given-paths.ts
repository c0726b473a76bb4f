import { delimiter, isAbsolute, parse, resolve } from "node:path";
import type { CommandTarget } from "@foundry-mcp/toolkit/client";
import { resolveLinks } from "@foundry-mcp/toolkit/files";

/**
 * Returns the absolute paths in the arguments and environment variables of a command, with and without symbolic links
 * resolved. The person who starts the server knows these paths, so a failure that names one of them reveals nothing.
 */
export function givenPaths({ args = [], env = {}, cwd = "." }: CommandTarget): readonly string[] {
  const folder = resolve(cwd);
  // The path may follow an equals sign in an option: --root=/srv/files.
  const inArguments = args.flatMap((text) => [text, text.slice(text.indexOf("=") + 1)]);
  const inVariables = Object.values(env).flatMap((text) => [text, ...text.split(delimiter)]);
  const paths = [...inArguments, ...inVariables].filter(looksLikePath).map((text) => resolve(folder, text));
  const all = paths.flatMap((path) => [path, resolveLinks(path) ?? path]);
  // The root of the file system is left out, because every path is below the root.
  return [...new Set(all)].filter((path) => path !== parse(path).root);
}

function looksLikePath(text: string): boolean {
  return isAbsolute(text) || /^\.{1,2}(?:[\\/]|$)/.test(text) || /^[^\s:-][^\s:]*[\\/]/.test(text);
}
