import { type CliOption, shownOptions, toCliOptions } from "./cli-option.ts";
import type { Program } from "./command-tree.ts";
import { type CliCommand, firstLine, summaryOf } from "./command-tree.ts";
import { budgetOption, globalOptions, versionOption } from "./global-options.ts";
import { namesAt } from "./parse-command-line.ts";
import { takesValue as needsValue, spellingsOf } from "./program-option.ts";
import { toPositional } from "./read-arguments.ts";
import { toVisible } from "./terminal-text.ts";
import { isFlag, isList, type ValueForm } from "./value-form.ts";

/** A completion of a word with its description. */
export interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

/** The shells that completion scripts are written for. */
export const shells = ["bash", "zsh", "fish"] as const;

/**
 * Completes the word under the cursor. `words` are the words of the line as the shell splits it, with the
 * name of the program first, and `at` is the index of the word.
 */
export function toCandidates(program: Program, words: readonly string[], at: number): readonly Candidate[] {
  const { before, current, prefix } = readWords(words, at);
  const { path, rest, pending } = walkPath(program, before);
  const [first, second] = path;
  const command = first === undefined ? undefined : program.tree.find(...path);
  const candidates: readonly Candidate[] =
    command !== undefined
      ? inCommand(program, command, rest, current)
      : pending !== undefined
        ? []
        : current.startsWith("-")
          ? globalCandidates(program, first === undefined)
          : first === "completion"
            ? shells.map((value) => ({ value }))
            : second === undefined
              ? inBranch(program, path)
              : [];
  return candidates
    .filter(({ value }) => value.startsWith(current))
    .map(({ value, description }) => ({ value: `${prefix}${value}`, description }));
}

/** Formats candidates one per line, the description behind a tab. */
export function toCandidateLines(candidates: readonly Candidate[]): string {
  return candidates
    .map(({ value, description }) => [value, description].flatMap((part) => (part ? [toVisible(part)] : [])))
    .map((parts) => `${parts.join("\t")}\n`)
    .join("");
}

/** bash splits `--x=y` into three words; the other shells keep one, whose beginning the candidate repeats. */
function readWords(words: readonly string[], at: number) {
  const typed = words[at] ?? "";
  const before = words.slice(1, at);
  if (typed === "=") return { before, current: "", prefix: "" };
  if (before.at(-1) === "=") return { before: before.slice(0, -1), current: typed, prefix: "" };
  const [, flag, value = ""] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  if (flag === undefined) return { before, current: typed, prefix: "" };
  return { before: [...before, flag], current: value, prefix: `${flag}=` };
}

/** The flags of the options of every command that take a value. */
function globalsWithValue({ options }: Program): readonly string[] {
  const all = [...globalOptions, ...options, budgetOption].map(({ flags }) => flags);
  return all.filter(needsValue).flatMap(spellingsOf);
}

/** Splits a line into the words of the command, the words after it, and an option that still needs its value. */
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

function inCommand(
  program: Program,
  command: CliCommand,
  rest: readonly string[],
  current: string,
): readonly Candidate[] {
  const withValue = globalsWithValue(program);
  const options = toCliOptions(command.action);
  const find = (word: string) => options.find(({ flags, letter }) => flags.includes(word) || letter === word);
  const used = new Set<string>();
  let operands = 0;
  let isOver = false;
  const queue = [...rest];
  while (queue.length > 0) {
    const word = queue.shift() ?? "";
    if (word === "--") {
      // Everything behind it is an argument.
      isOver = true;
      operands += queue.length;
      break;
    }
    const option = find(word.split("=", 1)[0] ?? "");
    if (option !== undefined) used.add(option.name);
    if (!word.startsWith("-")) operands += 1;
    const takesValue = option === undefined ? withValue.includes(word) : !isFlag(option.form);
    const isLast = queue.length === 0;
    if (takesValue && !word.includes("=") && isLast)
      return option === undefined ? [] : choicesOf(option.form);
    if (takesValue && !word.includes("=")) queue.shift();
  }
  const positional = toPositional(command, options);
  const last = positional.at(-1);
  const argument = positional[operands] ?? (last && isList(last.form) ? last : undefined);
  if (isOver && argument === undefined) return [];
  if (argument !== undefined && (isOver || !current.startsWith("-"))) return choicesOf(argument.form);
  const open = shownOptions(options).filter(({ name, form }) => !used.has(name) || isList(form));
  return [...open.flatMap(toFlagCandidates), ...globalCandidates(program, false, true)];
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

function choicesOf({ choices, items }: ValueForm): readonly Candidate[] {
  const all = choices ?? items?.choices ?? [];
  return all.map((choice) => ({ value: typeof choice === "string" ? choice : JSON.stringify(choice) }));
}
