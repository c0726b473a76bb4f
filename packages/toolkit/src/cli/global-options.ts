import { internal } from "@foundry-mcp/contract";
import { quoteName } from "@foundry-mcp/contract/input";
import { type OutputFormat, outputFormats, parseOutputFormat } from "./output-format.ts";
import { type ProgramOption, ProgramOptionState, spellingsOf } from "./program-option.ts";
import { usageError } from "./usage-error.ts";

/**
 * The values of the options that every command takes. The values are set during parsing, so that they also apply to
 * the reply to an invalid command line.
 */
export interface GlobalValues {
  help: boolean;
  version: boolean;
  /** The output format named on the line; undefined if there is none. */
  output?: OutputFormat;
  timeout?: string;
  requestId?: string;
  maxTokens?: string;
  params?: string;
  /** The states of the options that the program adds to every command. */
  readonly options: readonly ProgramOptionState[];
}

/** Creates the initial values, before a line is parsed. */
export function createGlobalValues(options: readonly ProgramOption[] = []): GlobalValues {
  return {
    help: false,
    version: false,
    options: options.map((option) => new ProgramOptionState(option)),
  };
}

/** An option that every command takes. */
export interface GlobalOption {
  readonly flags: string;
  readonly letter?: string;
  readonly description: string;
  readonly key: Exclude<keyof GlobalValues, "options">;
  /** The value that an option without an argument sets. @default true */
  readonly value?: string;
  /** The values that completion offers. */
  readonly choices?: readonly string[];
  /** Checks a value. @default every value is accepted */
  readonly parse?: (text: string) => string;
  /**
   * True if the option may be repeated and the last occurrence counts; options without this property must not be
   * repeated.
   */
  readonly isLastOne?: true;
  /** True if a command's parameter of the same name replaces this option. */
  readonly yieldsToParameter?: true;
}

/** The options that every command takes. Add a new option to this table and to `GlobalValues`. */
export const globalOptions: readonly GlobalOption[] = [
  {
    flags: "--output <format>",
    description: "Set the output format: auto (human on a terminal, JSON elsewhere), json or human",
    key: "output",
    choices: outputFormats,
    parse: (text) => parseOutputFormat(text, "--output"),
    isLastOne: true,
    // A parameter may replace the option --output, because parameters called output are common, and users can
    // write --human or --json instead.
    yieldsToParameter: true,
  },
  { flags: "--human", description: "Same as --output human", key: "output", value: "human" },
  { flags: "--json", description: "Same as --output json", key: "output", value: "json" },
  {
    flags: "--timeout <time>",
    description: "Stop the command after this time: a number of seconds, or a time such as 500ms or 2m",
    key: "timeout",
  },
  {
    flags: "--request-id <id>",
    description: "Set the request id, which the answer returns as meta.request_id",
    key: "requestId",
  },
  {
    flags: "--params <object>",
    description: "Pass parameters as one JSON object, @file or - (stdin); options override these parameters",
    key: "params",
  },
  { flags: "--help", letter: "-h", description: "Show this help", key: "help" },
];

/** The options that set the output format. */
export const outputOptions: readonly GlobalOption[] = globalOptions.filter(({ key }) => key === "output");

/** The option for the token budget. On the command line, output is complete by default. */
export const budgetOption = {
  flags: "--max-tokens <integer>",
  description: "Shorten the answer to at most this many tokens; 0 means no limit (default: 0)",
} as const;

/** The option `--version`, which is only valid without a command. */
export const versionOption = { flags: "--version", letter: "-v", description: "Show the version" } as const;

/** The form of a program option's flags. `--no-…` is excluded, because `--no-x` would negate the option `--x`. */
const wellFormed = /^--(?!no-)[a-z][a-z0-9]*(-[a-z0-9]+)*( <[^<>\s]+>)?$/;

/** Throws for program options whose flags are malformed or already taken. */
export function checkProgramOptions(options: readonly ProgramOption[]): void {
  const builtIn = [...globalOptions, budgetOption, versionOption];
  const taken = new Set(builtIn.flatMap(({ flags }) => spellingsOf(flags)));
  for (const { flags } of options) {
    if (!wellFormed.test(flags)) {
      throw internal(`Cannot add the option "${flags}": it is neither --name nor --name <value>`, {
        remediation: "Write flags in kebab-case, such as --specs-dir <dir>; --no-… cannot be one.",
      });
    }
    const [flag = ""] = spellingsOf(flags);
    if (taken.has(flag)) {
      throw internal(`Cannot add the option ${flag}: every command has one of that name`, {
        remediation: "Give the option another name in flags.",
      });
    }
    taken.add(flag);
  }
}

const maxTimeoutMs = 2_147_483_647;
const factors: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Parses the value of `--timeout` into milliseconds: `30`, `1.5`, `500ms`, `2m`. */
export function parseTimeout(text: string): number {
  const [, number = "", unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
  const timeoutMs = number === "" ? Number.NaN : Number(number) * (factors[unit] ?? Number.NaN);
  if (timeoutMs > 0) return Math.min(Math.ceil(timeoutMs), maxTimeoutMs);
  throw usageError(
    { field: "--timeout", constraint: "format", expected: "seconds above 0, or 500ms", received: text },
    `Cannot use --timeout ${quoteName(text)}: it is no time`,
    "Give --timeout seconds above 0, such as 30, or milliseconds, such as 500ms.",
  );
}
