import type { UnknownRecord } from "@foundry-mcp/contract";
import { toVisible } from "../terminal/terminal-text.ts";
import { type CliOption, shownOptions, toCliOptions } from "./cli-option.ts";
import type { Program } from "./command-tree.ts";
import { type CliCommand, firstLine, summaryOf } from "./command-tree.ts";
import { completeOperand, findValues } from "./complete-operand.ts";
import { budgetOption, globalOptions, versionOption } from "./global-options.ts";
import type { ParameterResolvers } from "./parameter-resolver.ts";
import { namesAt } from "./parse-command-line.ts";
import { findProgramCommand, type ProgramCommand } from "./program-command.ts";
import { takesValue as needsValue, spellingsOf } from "./program-option.ts";
import { toPositional } from "./read-arguments.ts";
import { isFlag, isList, type ValueForm } from "./value-form.ts";

/** A completion of a word with its description. */
export interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

/** The shells for which there are completion scripts. */
export const shells = ["bash", "zsh", "fish"] as const;

/**
 * Completes the word under the cursor. `words` are the words of the line as split by the shell, starting with the name
 * of the program, and `at` is the index of the word to complete.
 */
export async function toCandidates(
  program: Program,
  words: readonly string[],
  at: number,
): Promise<readonly Candidate[]> {
  const { before, current, prefix } = readWords(words, at);
  const { path, rest, pending } = walkPath(program, before);
  const [first, second] = path;
  const command = first === undefined ? undefined : program.tree.find(...path);
  const programCommand = findProgramCommand(program.commands, first);
  const candidates: readonly Candidate[] =
    command !== undefined
      ? ((await knownOperands(program, command, rest, current)) ??
        (await inCommand(program, command, rest, current)))
      : pending !== undefined
        ? globalChoices(pending)
        : current.startsWith("-")
          ? globalCandidates(program, first === undefined)
          : first === "completion"
            ? shells.map((value) => ({ value }))
            : programCommand !== undefined
              ? await inProgramCommand(program, programCommand, rest, current)
              : second === undefined
                ? inBranch(program, path)
                : [];
  return candidates
    .filter(({ value }) => value.startsWith(current))
    .map(({ value, description }) => ({ value: `${prefix}${value}`, description }));
}

/** Formats candidates one per line, with the description after a tab. */
export function toCandidateLines(candidates: readonly Candidate[]): string {
  return candidates
    .map(({ value, description }) => [value, description].flatMap((part) => (part ? [toVisible(part)] : [])))
    .map((parts) => `${parts.join("\t")}\n`)
    .join("");
}

/**
 * Splits the words at the cursor. bash splits `--x=y` into three words. The other shells keep `--x=y` as one word, so
 * the completions must repeat `--x=`.
 */
function readWords(words: readonly string[], at: number) {
  const typed = words[at] ?? "";
  const before = words.slice(1, at);
  if (typed === "=") return { before, current: "", prefix: "" };
  if (before.at(-1) === "=") return { before: before.slice(0, -1), current: typed, prefix: "" };
  const [, flag, value = ""] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  if (flag === undefined) return { before, current: typed, prefix: "" };
  return { before: [...before, flag], current: value, prefix: `${flag}=` };
}

/** Lists the flags of the global options that take a value. */
function globalsWithValue({ options }: Program): readonly string[] {
  const all = [...globalOptions, ...options, budgetOption].map(({ flags }) => flags);
  return all.filter(needsValue).flatMap(spellingsOf);
}

/**
 * Splits a line into the words of the command, the words after the command, and an option that still needs its
 * value.
 */
function walkPath(program: Program, before: readonly string[]) {
  const { tree } = program;
  const withValue = globalsWithValue(program);
  const path: string[] = [];
  const queue = [...before];
  let pending: string | undefined;
  while (queue.length > 0 && !isWhole(path)) {
    const word = queue.shift() ?? "";
    if (!word.startsWith("-")) path.push(word);
    else if (withValue.includes(word) && queue.shift() === undefined) pending = word;
  }
  return { path, rest: queue, pending };

  function isWhole([first, second]: readonly string[]): boolean {
    return first !== undefined && (second !== undefined || !tree.isGroup(first));
  }
}

function inBranch(program: Program, path: readonly string[]): readonly Candidate[] {
  const { tree } = program;
  const [first] = path;
  return namesAt(program, path).map((value) => {
    const command = first === undefined ? tree.find(value) : tree.find(first, value);
    const group = first === undefined ? tree.groups.get(value) : undefined;
    return { value, description: command === undefined ? group?.summary : summaryOf(command) };
  });
}

/** Completes an operand from its resolver; returns undefined if completion needs the options of the command. */
async function knownOperands(
  { resolvers }: Program,
  { tool, action: { name: actionName, definition } }: CliCommand,
  rest: readonly string[],
  current: string,
): Promise<readonly Candidate[] | undefined> {
  const { cli, destructive: isDestructive = false } = definition;
  const names = (cli === false ? undefined : cli?.arguments) ?? [];
  const action = `${tool.name} ${actionName}`;
  const found = await completeOperand(resolvers, { names, isDestructive, action }, rest, current);
  return found?.map((value) => ({ value }));
}

/** Completes the operands of a program command by their resolvers. */
async function inProgramCommand(
  { resolvers }: Program,
  { arguments: declared = [] }: ProgramCommand,
  rest: readonly string[],
  current: string,
): Promise<readonly Candidate[]> {
  const name = declared[rest.length]?.name ?? "";
  const before = Object.fromEntries(rest.map((word, index) => [declared[index]?.name ?? "", word]));
  return Object.hasOwn(resolvers, name) ? toValues(resolvers, name, current, before) : [];
}

async function toValues(
  resolvers: ParameterResolvers,
  name: string,
  current: string,
  args: UnknownRecord,
  action?: string,
): Promise<readonly Candidate[]> {
  return (await findValues(resolvers, name, current, args, action)).map((value) => ({ value }));
}

async function inCommand(
  program: Program,
  command: CliCommand,
  rest: readonly string[],
  current: string,
): Promise<readonly Candidate[]> {
  const withValue = globalsWithValue(program);
  const options = toCliOptions(command.action);
  const find = (word: string) => options.find(({ flags, letter }) => flags.includes(word) || letter === word);
  const used = new Set<string>();
  const positional = toPositional(command, options);
  /** The values of the operands before the word under the cursor, by parameter. */
  const before: Record<string, unknown> = {};
  let operands = 0;
  let isOver = false;
  const queue = [...rest];
  while (queue.length > 0) {
    const word = queue.shift() ?? "";
    if (word === "--") {
      // Every word after `--` is an argument and never an option.
      isOver = true;
      operands += queue.length;
      break;
    }
    const option = find(word.split("=", 1)[0] ?? "");
    if (option !== undefined) used.add(option.name);
    if (!word.startsWith("-")) {
      const name = positional[operands]?.name;
      if (name !== undefined) before[name] = word;
      operands += 1;
    }
    const takesValue = option === undefined ? withValue.includes(word) : !isFlag(option.form);
    const isLast = queue.length === 0;
    if (takesValue && !word.includes("=") && isLast)
      return option === undefined ? globalChoices(word) : valuesOf(option);
    if (takesValue) {
      const value = word.includes("=") ? word.slice(word.indexOf("=") + 1) : queue.shift();
      if (option !== undefined) before[option.name] = value;
    }
  }
  const last = positional.at(-1);
  const argument = positional[operands] ?? (last && isList(last.form) ? last : undefined);
  if (isOver && argument === undefined) return [];
  if (argument !== undefined && (isOver || !current.startsWith("-"))) return valuesOf(argument);
  async function valuesOf({ name, form }: CliOption): Promise<readonly Candidate[]> {
    if (!Object.hasOwn(program.resolvers, name)) return choicesOf(form);
    return toValues(program.resolvers, name, current, before, `${command.tool.name} ${command.action.name}`);
  }
  const open = shownOptions(options).filter(({ name, form }) => !used.has(name) || isList(form));
  const own = new Set(options.flatMap(({ flags }) => flags));
  const everywhere = globalCandidates(program, false, true).filter(({ value }) => !own.has(value));
  return [...open.flatMap(toFlagCandidates), ...everywhere];
}

function toFlagCandidates({ flags, negations, parameter }: CliOption): readonly Candidate[] {
  const { description } = parameter.json;
  const summary = typeof description === "string" ? firstLine(description) : undefined;
  return [flags[0], negations[0]].flatMap((value) =>
    value === undefined ? [] : [{ value, description: summary }],
  );
}

function globalCandidates({ options }: Program, isRoot: boolean, hasBudget = false): readonly Candidate[] {
  return [
    ...[...globalOptions, ...options].map(({ flags, description }) => {
      return { value: spellingsOf(flags)[0] ?? "", description };
    }),
    ...(hasBudget ? [] : [{ value: "--max-tokens" }]),
    ...(isRoot ? [{ value: versionOption.flags, description: versionOption.description }] : []),
  ];
}

/** Lists the possible values of an option that every command takes. */
function globalChoices(flag: string): readonly Candidate[] {
  const option = globalOptions.find(({ flags }) => spellingsOf(flags).includes(flag));
  return (option?.choices ?? []).map((value) => ({ value }));
}

function choicesOf({ choices, items }: ValueForm): readonly Candidate[] {
  const all = choices ?? items?.choices ?? [];
  return all.map((choice) => ({ value: typeof choice === "string" ? choice : JSON.stringify(choice) }));
}
