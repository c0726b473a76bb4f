import { quoteName } from "@foundry-mcp/contract/input";
import { type UsageError, usageError } from "./usage-error.ts";

/** The output formats: `json` is one line with the envelope; `auto` is `human` on a terminal and `json` elsewhere. */
export const outputFormats = ["auto", "json", "human"] as const;

/** An output format. */
export type OutputFormat = (typeof outputFormats)[number];

/** The format in which a reply is printed. */
export type ShownFormat = Exclude<OutputFormat, "auto">;

/** Parses a format; `source` is the option or the variable that it comes from. */
export function parseOutputFormat(text: string, source: string): OutputFormat {
  const format = outputFormats.find((each) => each === text);
  if (format !== undefined) return format;
  throw usageError(
    { field: source, constraint: "enum", expected: outputFormats, received: text },
    `Cannot use ${source} ${quoteName(text)}: there is no such format`,
    `Give ${source} one of ${outputFormats.join(", ")}.`,
  );
}

/** Returns the name of the variable that sets the format for a program: NOTES_OUTPUT for `notes`. */
export function toOutputVariable(program: string): string {
  return `${program.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}_OUTPUT`;
}

/** Finds the format of a line that cannot be parsed: the last option that names one counts. */
export function findOutputFormat(words: readonly string[]): OutputFormat | undefined {
  let found: OutputFormat | undefined;
  for (const [index, word] of words.entries()) {
    const value = word === "--output" ? words[index + 1] : /^--output=(.*)$/s.exec(word)?.[1];
    // If --json has a value, --json was not meant as an output format.
    if (word === "--human" || (word === "--json" && !isObjectOrFile(words[index + 1])))
      found = word.slice(2) as OutputFormat;
    else found = outputFormats.find((each) => each === value) ?? found;
  }
  return found;
}

/** Decides the format of a reply: `auto` depends only on whether standard output is a terminal. */
export function toShownFormat(format: OutputFormat | undefined, isTerminal: boolean): ShownFormat {
  return format === undefined || format === "auto" ? (isTerminal ? "human" : "json") : format;
}

/** The sources of the output format of a program, other than the command-line option. */
export interface OutputSources {
  readonly name: string;
  readonly outputVariable?: string | undefined;
  readonly output?: OutputFormat | (() => OutputFormat | Promise<OutputFormat>) | undefined;
}

/** Reads the format from the environment; undefined if the variable is empty or not set. */
export function readOutputVariable(
  { name, outputVariable = toOutputVariable(name) }: OutputSources,
  env: Readonly<Record<string, string | undefined>>,
): OutputFormat | undefined {
  const text = env[outputVariable];
  return text === undefined || text === "" ? undefined : parseOutputFormat(text, outputVariable);
}

/** Looks up the format that the program itself sets; undefined if the lookup fails. */
export async function lookUpOutput({ output }: OutputSources): Promise<OutputFormat | undefined> {
  try {
    return typeof output === "function" ? await output() : output;
  } catch {
    // A failure to read the settings is ignored here, because the command that needs the settings reports the
    // error.
    return undefined;
  }
}

function isObjectOrFile(word: string | undefined): boolean {
  return word !== undefined && /^(\{|@[^@])/.test(word);
}

/**
 * Creates the error for `--json` with a value, because `--params` was formerly called `--json`; undefined for other
 * lines.
 */
export function findJsonWithValue(command: string, argv: readonly string[]): UsageError | undefined {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  const at = words.findIndex(
    (word, index) => word.startsWith("--json=") || (word === "--json" && isObjectOrFile(words[index + 1])),
  );
  if (at === -1) return undefined;
  const word = words[at] ?? "";
  const given = word === "--json" ? ["--params"] : ["--params", word.slice("--json=".length)];
  return usageError(
    { field: "--json", constraint: "type", expected: "no value" },
    "Cannot read --json with a value: it asks for JSON output, and --params takes the parameters",
    "Write {1}.",
    { words: [...command.split(" "), ...argv.toSpliced(at, 1, ...given)] },
  );
}
