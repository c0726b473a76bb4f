import { nearest } from "../text/did-you-mean.ts";
import type { CliOptions } from "./cli-options.ts";
import { checkProgramOptions } from "./global-options.ts";
import { toProgramCommandHelp } from "./help.ts";
import { type ParserOption, programParserOptions, splitWords } from "./parse-options.ts";
import type { CommandValues, ProgramCommand, ProgramCommandLine } from "./program-command.ts";
import { type ProgramOptionState, takesValue } from "./program-option.ts";
import { toRefusal } from "./reply.ts";
import { type Streams, writeText } from "./streams.ts";
import { type UsageError, usageError } from "./usage-error.ts";

/**
 * Runs a command that calls no tool. It writes its output itself, for it may be a server that speaks a
 * protocol on stdout; what it throws, and a line that it refuses, is answered with an envelope all the same.
 */
export async function runProgramCommand(
  { name, command: program = name, options: declared = [] }: CliOptions,
  { command, argv, options, given }: ProgramCommandLine,
  { stdout, stderr }: Streams,
): Promise<{ readonly code: number; readonly staysOpen: boolean }> {
  const started = performance.now();
  try {
    checkProgramOptions(declared);
    for (const [option, value] of given) option.set(value);
    // An option of the command hides a program option of the same name.
    const own = new Set((command.options ?? []).map(({ flags }) => toFlag(flags)));
    const shared = options.filter(({ spellings }) => !spellings.some((flag) => own.has(flag)));
    const values = parseValues(program, command, shared, argv);
    if (values === undefined) {
      const width = (stdout.isTTY ? stdout.columns : undefined) ?? 80;
      await writeText(stdout, toProgramCommandHelp(program, command, shared, width));
      return { code: 0, staysOpen: false };
    }
    await command.run(values);
    return { code: 0, staysOpen: true };
  } catch (thrown) {
    const context = { registry: undefined, requestId: undefined, started, isInterrupted: false };
    const reply = toRefusal(thrown, context);
    await writeText(stderr, (reply.notes ?? []).map((note) => `${note}\n`).join(""));
    await writeText(stdout, `${reply.wire?.text}\n`);
    return { code: reply.code, staysOpen: false };
  }
}

/** Parses the words of a program command; undefined when they ask for help. */
function parseValues(
  programName: string,
  { name, arguments: declared = [], options = [] }: ProgramCommand,
  shared: readonly ProgramOptionState[],
  argv: readonly string[],
): CommandValues | undefined {
  const values: Record<string, string | boolean> = {};
  const refuse = (constraint: string, reason: string, hint = ""): UsageError =>
    usageError(
      { field: "arguments", constraint },
      `Cannot run ${programName} ${name}: ${reason}`,
      `${hint}${programName} ${name} --help lists what it takes.`,
    );
  const own = options.map(({ flags, check }): ParserOption => {
    const flag = toFlag(flags);
    const onValue = (value: string | undefined) => {
      const reason = value === undefined ? undefined : check?.(value);
      if (reason !== undefined) {
        throw refuse("invalidArgument", `option '${flags}' argument '${value}' is invalid. ${reason}`);
      }
      values[flag.slice(2)] = value ?? true;
    };
    return { flag, takesValue: takesValue(flags), isHidden: false, onValue };
  });
  const known = [...own, ...shared.flatMap(programParserOptions)];
  const { operands, unknown } = splitWords(known, argv, ({ flag }) => {
    const shown = [...options, ...shared].find(({ flags }) => toFlag(flags) === flag);
    return refuse("optionMissingArgument", `option '${shown?.flags ?? `${flag} <value>`}' argument missing`);
  });
  if (unknown.includes("-h") || unknown.includes("--help")) return undefined;
  const [first] = unknown;
  if (first !== undefined) {
    const names = [...known.flatMap(({ flag, isHidden }) => (isHidden ? [] : [flag])), "--help"];
    const [flag = ""] = first.split("=", 1);
    const guess = /^--./.test(flag) ? nearest(flag, names) : undefined;
    const hint = guess === undefined ? "" : `Did you mean ${guess}? `;
    throw refuse("unknownOption", `unknown option '${first}'`, hint);
  }
  const missing = declared.find(({ required }, index) => required && operands[index] === undefined);
  if (missing !== undefined) throw refuse("missingArgument", `missing required argument '${missing.name}'`);
  if (operands.length > declared.length) {
    const expected = `${declared.length} argument${declared.length === 1 ? "" : "s"}`;
    const reason = `too many arguments for '${name}'. Expected ${expected} but got ${operands.length}.`;
    throw refuse("excessArguments", reason);
  }
  for (const [index, operand] of operands.entries()) values[declared[index]?.name ?? ""] = operand;
  return values;
}

function toFlag(flags: string): string {
  return flags.split(" ", 1)[0] ?? "";
}
