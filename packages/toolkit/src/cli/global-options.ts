import type { Command } from "commander";
import { HeardOption, type ProgramOption } from "./program-option.ts";
import { usageError } from "./usage-error.ts";

/** What a command line asks for besides its call. Filled while it is read, so that a refusal knows it too. */
export interface Wishes {
  help: boolean;
  version: boolean;
  human: boolean;
  timeout?: string;
  requestId?: string;
  maxTokens?: string;
  json?: string;
  /** What the program itself takes besides; they pass on what they hear. */
  readonly options: readonly HeardOption[];
}

/** The wishes of a line that nothing has been read of. */
export function createWishes(options: readonly ProgramOption[] = []): Wishes {
  return {
    help: false,
    version: false,
    human: false,
    options: options.map((option) => new HeardOption(option)),
  };
}

/** The options that every command takes. */
export const globalOptions: readonly {
  readonly flags: string;
  readonly description: string;
  readonly key: Exclude<keyof Wishes, "options">;
}[] = [
  { flags: "--human", description: "Show the answer for people instead of as JSON", key: "human" },
  { flags: "--timeout <time>", description: "The longest it may take: seconds, or 500ms", key: "timeout" },
  { flags: "--request-id <id>", description: "The id of the call, told in its answer", key: "requestId" },
  { flags: "--json <object>", description: "All parameters at once; options win over it", key: "json" },
  { flags: "--help", description: "Show this help", key: "help" },
];

const longest = 2_147_483_647;
const factors: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** The time that `--timeout` names, in milliseconds: `30`, `1.5`, `500ms`, `2m`. */
export function parseTimeout(text: string): number {
  const [, number = "", unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
  const timeoutMs = number === "" ? Number.NaN : Number(number) * (factors[unit] ?? Number.NaN);
  if (timeoutMs > 0) return Math.min(Math.ceil(timeoutMs), longest);
  throw usageError(
    { field: "--timeout", constraint: "format", expected: "seconds above 0, or 500ms", received: text },
    `Cannot use --timeout "${text.slice(0, 60)}": it is no time`,
    "Give --timeout seconds above 0, such as 30, or milliseconds, such as 500ms.",
  );
}

/** Tells a command's options to someone; the value of what takes none is undefined. */
export function listen(command: Command, flag: string, hear: (value: string | undefined) => void): void {
  command.on(`option:${flag.slice(2)}`, (value: string | null | undefined) => hear(value ?? undefined));
}
