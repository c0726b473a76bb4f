import { quoteName } from "@foundry-mcp/contract/input";
import { suggest } from "../text/did-you-mean.ts";
import {
  budgetOption,
  type GlobalOption,
  type GlobalValues,
  globalOptions,
  outputOptions,
} from "./global-options.ts";
import { type ProgramOptionState, spellingsOf, takesValue } from "./program-option.ts";
import { givenTwice, type UsageError, usageError } from "./usage-error.ts";

/** One spelling of an option, for the parser. */
export interface ParserOption {
  /** The long flag, such as `--limit`. */
  readonly flag: string;
  /** The short flag, such as `-l`. */
  readonly letter?: string | undefined;
  readonly takesValue: boolean;
  /** True for a hidden spelling, which is accepted but never suggested. */
  readonly isHidden: boolean;
  /** Receives the value of the option; undefined for an option that takes no value. */
  readonly onValue: (value: string | undefined) => void;
}

const negativeNumber = /^-(\d+|\d*\.\d+)(e[+-]?\d+)?$/;

/**
 * Splits words into options and operands; each option receives its value immediately. From the first unknown option on,
 * operands are returned as `unknown`, because a word after the option may be its value. With `stopsAtOperand`, options
 * end at the first operand.
 */
export function splitWords(
  options: readonly ParserOption[],
  argv: readonly string[],
  missingValue: (option: ParserOption) => Error,
  { stopsAtOperand = false }: { readonly stopsAtOperand?: boolean } = {},
): { readonly operands: string[]; readonly unknown: string[] } {
  const find = (word: string) => options.find(({ flag, letter }) => flag === word || letter === word);
  const operands: string[] = [];
  const unknown: string[] = [];
  let rest = operands;
  /** The letters of a bundle such as `-abc` that have not been read yet. */
  let bundle: string | undefined;
  let at = 0;
  while (at < argv.length || bundle !== undefined) {
    const word: string = bundle ?? argv[at++] ?? "";
    bundle = undefined;
    if (word === "--") {
      if (rest === unknown) rest.push(word);
      rest.push(...argv.slice(at));
      break;
    }
    const isOptionLike = word.length > 1 && word.startsWith("-");
    const option = isOptionLike ? find(word) : undefined;
    if (option !== undefined) {
      const value = option.takesValue ? argv[at++] : undefined;
      // After `--`, words are operands. A value of two dashes is written as `--option=--`.
      if (option.takesValue && (value === undefined || value === "--")) throw missingValue(option);
      option.onValue(value);
      continue;
    }
    const first = isOptionLike && word[1] !== "-" ? find(word.slice(0, 2)) : undefined;
    if (first !== undefined) {
      first.onValue(first.takesValue ? word.slice(2) : undefined);
      if (!first.takesValue) bundle = `-${word.slice(2)}`;
      continue;
    }
    const equals = /^--[^=]+=/.exec(word)?.[0].length;
    const joined = equals === undefined ? undefined : find(word.slice(0, equals - 1));
    if (joined?.takesValue) {
      joined.onValue(word.slice(equals));
      continue;
    }
    if (isOptionLike && !negativeNumber.test(word)) rest = unknown;
    rest.push(word);
    if (stopsAtOperand) {
      rest.push(...argv.slice(at));
      break;
    }
  }
  return { operands, unknown };
}

/**
 * Parses the options of a command and returns its operands. Throws for an unknown option; `advice` is added to the
 * remediation of that error.
 */
export function parseOptions(
  name: string,
  options: readonly ParserOption[],
  argv: readonly string[],
  globals: GlobalValues,
  {
    stopsAtOperand = false,
    advice,
    refusalOf = () => undefined,
  }: {
    readonly stopsAtOperand?: boolean;
    readonly advice?: string | undefined;
    /**
     * Returns the sentence about an option of another program, which replaces the suggestion of a similar
     * option; undefined for other options.
     */
    readonly refusalOf?: ((flag: string) => string | undefined) | undefined;
  } = {},
): string[] {
  const { operands, unknown } = splitWords(options, argv, withoutValue, { stopsAtOperand });
  const [first] = unknown;
  if (first !== undefined && !globals.help) throw unknownOption(name, options, first, advice, refusalOf);
  return operands;
}

/** Creates the parser options for the options that every command takes; their values are stored in `globals`. */
export function globalParserOptions(globals: GlobalValues): readonly ParserOption[] {
  return [...builtInParserOptions(globalOptions, globals), ...globals.options.flatMap(programParserOptions)];
}

/** Creates the parser options for the output format, which program commands also take. */
export function outputParserOptions(globals: GlobalValues): readonly ParserOption[] {
  return builtInParserOptions(outputOptions, globals);
}

function builtInParserOptions(
  options: readonly GlobalOption[],
  globals: GlobalValues,
): readonly ParserOption[] {
  return options.flatMap(({ flags, key, letter, value: fixed = true, parse, isLastOne }) =>
    toParserOptions(flags, letter, (value) => {
      if (value === undefined) Object.assign(globals, { [key]: fixed });
      else if (isLastOne || globals[key] === undefined)
        Object.assign(globals, { [key]: parse?.(value) ?? value });
      else throw givenTwice(spellingsOf(flags)[0] ?? "");
    }),
  );
}

/** Creates the parser options of a program option, one for each spelling. */
export function programParserOptions(option: ProgramOptionState): readonly ParserOption[] {
  return toParserOptions(option.flags, undefined, (value) => option.set(value));
}

function toParserOptions(
  flags: string,
  letter: string | undefined,
  onValue: ParserOption["onValue"],
): readonly ParserOption[] {
  return spellingsOf(flags).map((flag, index) => ({
    flag,
    letter: index === 0 ? letter : undefined,
    takesValue: takesValue(flags),
    isHidden: index > 0,
    onValue,
  }));
}

/**
 * Creates the parser option for a token budget that is written before the command; after the command, the budget is
 * a parameter of the action.
 */
export function budgetParserOption(globals: GlobalValues): ParserOption {
  const [flag = ""] = spellingsOf(budgetOption.flags);
  return {
    flag,
    takesValue: true,
    isHidden: false,
    onValue: (value = "") => {
      if (globals.maxTokens !== undefined) throw givenTwice(flag);
      globals.maxTokens = value;
    },
  };
}

/** Creates the error for an option that was given a value but takes none. */
export function takesNoValue(flag: string, opposite: string | undefined): UsageError {
  return usageError(
    { field: flag, constraint: "type", expected: "no value" },
    `Cannot read ${flag}: it takes no value`,
    opposite === undefined ? `Write ${flag} alone.` : `Write ${flag} for true and ${opposite} for false.`,
  );
}

function unknownOption(
  name: string,
  options: readonly ParserOption[],
  written: string,
  advice: string | undefined,
  refusalOf: (flag: string) => string | undefined,
): UsageError {
  const [flag = ""] = written.split("=", 1);
  if (options.some((option) => option.flag === flag)) {
    return takesNoValue(flag, options.find((option) => option.flag === `--no-${flag.slice(2)}`)?.flag);
  }
  const names = options.flatMap((option) => (option.isHidden ? [] : [option.flag]));
  return usageError(
    { field: flag, constraint: "unknown", expected: names },
    `${name} takes no option ${quoteName(flag)}`,
    refusalOf(flag) ??
      [
        suggest(flag, names, `${name} --help lists them all.`),
        ...(advice === undefined ? [] : [advice]),
      ].join(" "),
  );
}

function withoutValue({ flag }: ParserOption): UsageError {
  return usageError(
    { field: flag, constraint: "required" },
    `Cannot read the command line: ${flag} has no value`,
    `Give ${flag} a value.`,
  );
}
