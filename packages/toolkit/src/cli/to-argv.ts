import { isDeepStrictEqual } from "node:util";
import { internal, notFound, type UnknownRecord } from "@foundry-mcp/contract";
import { toKey } from "../catalogue/prepared-tool.ts";
import type { Registry } from "../registry/registry.ts";
import { suggest } from "../text/did-you-mean.ts";
import { type CliOption, toCliOptions } from "./cli-option.ts";
import { type CliCommand, type CommandTree, createCommandTree } from "./command-tree.ts";
import { takesWords, toPositional } from "./read-arguments.ts";
import { fromTexts, isFlag, isList } from "./value-form.ts";

/**
 * Converts a call to the words of a command line that parses to the same call. Aliases are kept; parameters that no
 * option can express go into `--params`.
 */
export function toArgv(registry: Registry, tool: string, args: UnknownRecord = {}): string[] {
  return toArgvIn(createCommandTree(registry), registry, tool, args);
}

/**
 * Converts a call to words using an existing command tree. If the caller will append nothing (`isWhole`),
 * literal words are written after `--`, as a person would write them.
 */
export function toArgvIn(
  tree: CommandTree,
  registry: Registry,
  toolName: string,
  args: UnknownRecord,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): string[] {
  const tool = registry.tools.find(({ name, aliases = [] }) =>
    [name, ...aliases].some((known) => toKey(known) === toKey(toolName)),
  );
  const { action: wanted, ...rest } = args;
  if (tool === undefined) {
    const names = registry.tools.map(({ name }) => name);
    throw notFound("tool", toolName, { remediation: suggest(toolName, names) });
  }
  const named = tool.isPlain ? "" : String(wanted);
  const action = tool.findAction(named);
  if (action === undefined) {
    throw notFound("action", named, { remediation: suggest(named, [...tool.actions.keys()]) });
  }
  const command = tree.commandOf(action);
  if (command === undefined)
    throw internal(`Cannot call ${action.label} from the command line: it has no command`);
  const isCurrent = toolName === tool.name && (tool.isPlain || named === action.name);
  const given = tool.isPlain ? [toolName] : [toolName, named];
  const words = !isCurrent && tree.find(...given) === command ? given : command.words;
  return [...words, ...toArguments(command, tool.isPlain ? args : rest, isWhole)];
}

function toArguments(command: CliCommand, args: UnknownRecord, isWhole: boolean): readonly string[] {
  const options = toCliOptions(command.action);
  const left = new Map(Object.entries(args).filter(([, value]) => value !== undefined));
  const positional = toPositional(command, options);
  const words = isWhole && takesWords(positional) ? takeWords(positional, left) : [];
  const operands = takeOperands(positional, left);
  const flags = options.flatMap((option) => {
    if (!left.has(option.key)) return [];
    const words = toOptionWords(option, left.get(option.key));
    if (words !== undefined) left.delete(option.key);
    return words ?? [];
  });
  const params = left.size === 0 ? [] : ["--params", JSON.stringify(Object.fromEntries(left))];
  return [...operands, ...flags, ...params, ...words];
}

/** Writes the last argument after `--`, if the arguments before it can be positional too. */
function takeWords(positional: readonly CliOption[], left: Map<string, unknown>): readonly string[] {
  const before = positional.slice(0, -1);
  const last = positional.at(-1);
  const texts = last === undefined ? undefined : toTexts(last, left.get(last.key));
  if (last === undefined || texts === undefined) return [];
  if (before.some((option) => toOperands(option, left) === undefined)) return [];
  left.delete(last.key);
  return ["--", ...texts];
}

/** Takes positional arguments until one is missing or looks like an option. */
function takeOperands(positional: readonly CliOption[], left: Map<string, unknown>): readonly string[] {
  const operands: string[] = [];
  for (const option of positional) {
    const texts = toOperands(option, left);
    if (texts === undefined) break;
    operands.push(...texts);
    left.delete(option.key);
  }
  return operands;
}

function toOperands(option: CliOption, left: ReadonlyMap<string, unknown>): readonly string[] | undefined {
  const texts = left.has(option.key) ? toTexts(option, left.get(option.key)) : undefined;
  return texts?.some((text) => text.startsWith("-")) ? undefined : texts;
}

function toOptionWords(option: CliOption, value: unknown): readonly string[] | undefined {
  const [flag] = option.flags;
  if (flag === undefined) return undefined;
  if (isFlag(option.form) && typeof value === "boolean") {
    const [negation] = option.negations;
    return value ? [flag] : negation === undefined ? undefined : [negation];
  }
  if (isFlag(option.form)) return undefined;
  return toTexts(option, value)?.flatMap((text) =>
    text.startsWith("-") ? [`${flag}=${text}`] : [flag, text],
  );
}

/**
 * Returns the texts that parse to the given value if they are passed to the option; undefined if there are no
 * such texts.
 */
function toTexts({ form, source }: CliOption, value: unknown): readonly string[] | undefined {
  // A parameter with the source `file` takes the path of a file, so a value itself cannot be written.
  if (source === "file") return undefined;
  const isLiteral = source === "literal";
  const items = isList(form) && Array.isArray(value) && value.length > 0 ? value.map(toText) : [];
  const tries = [...(items.length === 0 ? [] : [items]), [toText(value)], [JSON.stringify(value)]];
  const texts = tries.find(
    (words) =>
      words.every((word) => word !== undefined && (isLiteral || word !== "-")) &&
      isDeepStrictEqual(fromTexts(words, form, source), value),
  );
  // A text that begins with @ gets a second @, because it would otherwise be taken for a file name.
  return texts?.map((text) => (!isLiteral && text.startsWith("@") ? `@${text}` : text));
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
