import { isContractError } from "@foundry-mcp/contract";
import { givenTwice, UsageError } from "./usage-error.ts";

/** An option that a program adds to every command, such as the folder that its tools work in. */
export interface ProgramOption {
  /** The flag as shown in help: `--specs-dir <dir>`, or `--offline` for an option without a value. */
  readonly flags: string;
  readonly description: string;
  /** Receives the value while the line is parsed, before any call; undefined for an option without a value. */
  readonly onValue: (value: string | undefined) => void;
}

/** A program option on one command line; its value is set once, at any position on the line. */
export class ProgramOptionState {
  readonly flags: string;
  readonly description: string;
  /** Every spelling of the option; help shows the first. */
  readonly spellings: readonly string[];
  readonly takesValue: boolean;
  readonly #onValue: ProgramOption["onValue"];
  #words: readonly string[] | undefined = undefined;

  constructor({ flags, description, onValue }: ProgramOption) {
    this.flags = flags;
    this.description = description;
    this.spellings = spellingsOf(flags);
    this.takesValue = takesValue(flags);
    this.#onValue = onValue;
  }

  /** The words that repeat the option as it was given; empty if the option was not given. */
  get words(): readonly string[] {
    return this.#words ?? [];
  }

  set(value: string | undefined): void {
    const [flag = ""] = this.spellings;
    if (this.#words !== undefined) {
      if (value !== undefined) throw givenTwice(flag);
      return;
    }
    // A value that begins with a dash is joined to its flag, because it could otherwise be taken for an
    // option.
    this.#words = value === undefined ? [flag] : value.startsWith("-") ? [`${flag}=${value}`] : [flag, value];
    try {
      this.#onValue(value);
    } catch (thrown) {
      // A value that `onValue` refuses is a usage error; any other exception is a bug and is thrown unchanged.
      if (!isContractError(thrown) || thrown.code === "INTERNAL_ERROR") throw thrown;
      throw new UsageError(thrown);
    }
  }
}

/** Lists the spellings of an option that every command takes: kebab-case, as shown in help, and snake_case. */
export function spellingsOf(flags: string): readonly string[] {
  const [flag = ""] = flags.split(" ");
  return [...new Set([flag, `--${flag.slice(2).replaceAll("-", "_")}`])];
}

/** True if the option takes a value. */
export function takesValue(flags: string): boolean {
  return flags.includes("<");
}

/**
 * Splits off the program options at the beginning of a line, each with its value. The values are not stored here,
 * because the words after the options decide how the line is parsed.
 */
export function splitLeading(options: readonly ProgramOptionState[], argv: readonly string[]) {
  const given: (readonly [option: ProgramOptionState, value: string | undefined])[] = [];
  let at = 0;
  for (;;) {
    const word = argv[at] ?? "";
    const [flag = ""] = word.split("=", 1);
    const option = options.find(({ spellings }) => spellings.includes(flag));
    const isJoined = flag !== word;
    if (option === undefined || (isJoined && !option.takesValue)) break;
    const value = isJoined ? word.slice(flag.length + 1) : option.takesValue ? argv[at + 1] : undefined;
    if (option.takesValue && value === undefined) break;
    given.push([option, value]);
    at += option.takesValue && !isJoined ? 2 : 1;
  }
  return { given, rest: argv.slice(at) };
}
