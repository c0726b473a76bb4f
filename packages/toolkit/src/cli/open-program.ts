import type { Registry } from "../registry/registry.ts";
import type { CliOptions, RegistrySource } from "./cli-options.ts";
import { builtInCommands, createCommandTree, firstLine, type Program, toPath } from "./command-tree.ts";
import { checkProgramOptions } from "./global-options.ts";

/** Opens the registry of a program and creates its commands. */
export async function openProgram(source: RegistrySource, cli: CliOptions): Promise<Program> {
  return layOut(typeof source === "function" ? await source() : source, cli);
}

/**
 * Opens the program for a command line. If the tool that the line needs is known in advance, only this tool
 * is created.
 */
export async function openProgramFor(
  argv: readonly string[],
  source: RegistrySource,
  cli: CliOptions,
): Promise<Program> {
  const { parts } = cli;
  const tool = parts && findTool(argv, parts.toolOf);
  if (parts === undefined || tool === undefined) return openProgram(source, cli);
  let whole: Program | undefined;
  // The members of a program that are created on demand would be created by a copy.
  return Object.defineProperty(layOut(parts.open(tool), cli), "whole", {
    get() {
      whole ??= layOut(parts.open(), cli);
      return whole;
    },
  });
}

/** Maps the words of every command, in all spellings, to the name of its tool. */
export async function listCommandTools(
  source: RegistrySource,
  cli: CliOptions,
): Promise<Readonly<Record<string, string>>> {
  const { tree } = await openProgram(source, cli);
  return Object.fromEntries([...tree.paths].map(([path, { tool }]) => [path, tool.name]));
}

/**
 * Finds the tool of a line that begins with the words of a command; undefined for help, which may show other commands.
 */
function findTool(argv: readonly string[], toolOf: Readonly<Record<string, string>>): string | undefined {
  const [first = "", second = ""] = argv;
  if (argv.some((word) => word === "help" || word === "--help" || /^-[a-z]*h/.test(word))) return undefined;
  const path = [toPath([first]), toPath([first, second])].find((each) => Object.hasOwn(toolOf, each));
  return path === undefined ? undefined : toolOf[path];
}

function layOut(registry: Registry, cli: CliOptions): Program {
  const { name, command = name, about, version, commands = [], options = [], groups } = cli;
  const { resolvers = {}, synonyms = {} } = cli;
  checkProgramOptions(options);
  const taken = [...builtInCommands, ...commands.flatMap(({ name, aliases = [] }) => [name, ...aliases])];
  const tree = createCommandTree(registry, taken, options, groups);
  const { title = registry.options.name } = registry.options;
  return {
    ...{ name, command, about: about ?? firstLine(title), version: version ?? registry.options.version },
    ...{ registry, tree, commands, options, resolvers, synonyms, summaries: groups ?? {} },
    get refusals() {
      return cli.refusals ?? {};
    },
  };
}
