import { isContractError } from "@foundry-mcp/contract";
import { givenTwice, UsageError } from "./usage-error.ts";

/** An option that a program adds to every command, such as the folder that its tools work in. */
export interface ProgramOption {
  /** As help shows it: `--specs-dir <dir>`, or `--offline` for what takes no value. */
  readonly flags: string;
  readonly description: string;
  /** Gets the value while the line is read, before any call; undefined of what takes none. */
  readonly hear: (value: string | undefined) => void;
}

/** An option of the program on one command line: heard once, wherever it stands. */
export class HeardOption {
  readonly flags: string;
  readonly description: string;
  /** The ways to write it, the one that is shown first. */
  readonly spellings: readonly string[];
  readonly takesValue: boolean;
  readonly #tell: ProgramOption["hear"];
  #words: readonly string[] | undefined = undefined;

  constructor({ flags, description, hear }: ProgramOption) {
    this.flags = flags;
    this.description = description;
    this.spellings = spellingsOf(flags);
    this.takesValue = takesValue(flags);
    this.#tell = hear;
  }

  /** The words that give it as it was given; none where it was not. */
  get words(): readonly string[] {
    return this.#words ?? [];
  }

  hear(value: string | undefined): void {
    const [flag = ""] = this.spellings;
    if (this.#words !== undefined) {
      if (value !== undefined) throw givenTwice(flag);
      return;
    }
    // A value that begins with a dash could be read as an option.
    this.#words = value === undefined ? [flag] : value.startsWith("-") ? [`${flag}=${value}`] : [flag, value];
    try {
      this.#tell(value);
    } catch (thrown) {
      // A value that is refused is a line that makes no call; a bug stays one.
      if (!isContractError(thrown) || thrown.code === "INTERNAL_ERROR") throw thrown;
      throw new UsageError(thrown);
    }
  }
}

/** The ways to write an option of every command: in kebab-case, as it is shown, and in snake_case. */
export function spellingsOf(flags: string): readonly string[] {
  const [flag = ""] = flags.split(" ");
  return [...new Set([flag, `--${flag.slice(2).replaceAll("-", "_")}`])];
}

/** True where a value must follow. */
export function takesValue(flags: string): boolean {
  return flags.includes("<");
}

/**
 * The options of the program that a line begins with, each with its value, and the words behind them.
 * Nothing is heard yet: what follows decides who reads the line.
 */
export function splitLeading(options: readonly HeardOption[], argv: readonly string[]) {
  const given: (readonly [option: HeardOption, value: string | undefined])[] = [];
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
