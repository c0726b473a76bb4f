import { internal } from "@foundry-mcp/contract";
import { quoteName } from "@foundry-mcp/contract/input";
import { type ProgramOption, ProgramOptionState, spellingsOf } from "./program-option.ts";
import { usageError } from "./usage-error.ts";

/** The values of the options that every command takes. Set while the line is parsed, so that a refusal knows them too. */
export interface GlobalValues {
  help: boolean;
  version: boolean;
  human: boolean;
  timeout?: string;
  requestId?: string;
  maxTokens?: string;
  json?: string;
  /** The options that the program adds to every command. */
  readonly options: readonly ProgramOptionState[];
}

/** Creates the values of a line that has not been parsed yet. */
export function createGlobalValues(options: readonly ProgramOption[] = []): GlobalValues {
  return {
    help: false,
    version: false,
    human: false,
    options: options.map((option) => new ProgramOptionState(option)),
  };
}

/** The options that every command takes. To add one, add it here and to `GlobalValues`. */
export const globalOptions: readonly {
  readonly flags: string;
  readonly letter?: string;
  readonly description: string;
  readonly key: Exclude<keyof GlobalValues, "options">;
}[] = [
  { flags: "--human", description: "Show the answer for people instead of as JSON", key: "human" },
  { flags: "--timeout <time>", description: "The longest it may take: seconds, or 500ms", key: "timeout" },
  { flags: "--request-id <id>", description: "The id of the call, told in its answer", key: "requestId" },
  { flags: "--json <object>", description: "All parameters at once; options win over it", key: "json" },
  { flags: "--help", letter: "-h", description: "Show this help", key: "help" },
];

/** The token budget. On the command line nothing is left out unless it is asked for. */
export const budgetOption = {
  flags: "--max-tokens <integer>",
  description: "Most tokens of the answer; 0 for no limit (default: 0)",
} as const;

/** The option that the program alone takes, without a command. */
export const versionOption = { flags: "--version", letter: "-v", description: "Show the version" } as const;

/** `--no-…` is left out: it would negate an option of the rest of its name. */
const wellFormed = /^--(?!no-)[a-z][a-z0-9]*(-[a-z0-9]+)*( <[^<>\s]+>)?$/;

/** Refuses program options that cannot be written, and those whose names are taken. */
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
