import { delimiter, isAbsolute, parse, resolve } from "node:path";
import type { CommandTarget } from "@foundry-mcp/toolkit/client";
import { resolveLinks } from "@foundry-mcp/toolkit/files";

/**
 * Returns the absolute paths that a command is given in its arguments and variables, with and without links
 * resolved. Whoever starts the server knows them, so a failure that names one tells nothing new.
 */
export function givenPaths({ args = [], env = {}, cwd = "." }: CommandTarget): readonly string[] {
  const folder = resolve(cwd);
  // An option may hold its path behind an equals sign: --root=/srv/files.
  const inArguments = args.flatMap((text) => [text, text.slice(text.indexOf("=") + 1)]);
  const inVariables = Object.values(env).flatMap((text) => [text, ...text.split(delimiter)]);
  const paths = [...inArguments, ...inVariables].filter(looksLikePath).map((text) => resolve(folder, text));
  const all = paths.flatMap((path) => [path, resolveLinks(path) ?? path]);
  // The root of the file system says nothing: every path lies below it.
  return [...new Set(all)].filter((path) => path !== parse(path).root);
}

function looksLikePath(text: string): boolean {
  return isAbsolute(text) || /^\.{1,2}(?:[\\/]|$)/.test(text) || /^[^\s:-][^\s:]*[\\/]/.test(text);
}
