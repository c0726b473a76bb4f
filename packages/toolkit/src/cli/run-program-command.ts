import { type DescribeRemedy, isContractError } from "@foundry-mcp/contract";
import { nearest } from "../text/did-you-mean.ts";
import type { CliOptions, RegistrySource } from "./cli-options.ts";
import { createCommandWriter } from "./describe-command.ts";
import { checkProgramOptions, createGlobalValues, type GlobalValues } from "./global-options.ts";
import { toProgramCommandHelp } from "./help.ts";
import { openProgram } from "./open-program.ts";
import {
  findOutputFormat,
  lookUpOutput,
  type OutputFormat,
  readOutputVariable,
  toShownFormat,
} from "./output-format.ts";
import { type ParameterResolvers, resolveValue } from "./parameter-resolver.ts";
import { outputParserOptions, type ParserOption, programParserOptions, splitWords } from "./parse-options.ts";
import { printReply } from "./print-reply.ts";
import type { CommandValues, ProgramCommand, ProgramCommandLine } from "./program-command.ts";
import { type ProgramOptionState, takesValue } from "./program-option.ts";
import { toRefusal } from "./reply.ts";
import { reserveStdout, type Streams, writeText } from "./streams.ts";
import { type UsageError, usageError } from "./usage-error.ts";

/**
 * Runs a command that does not call a tool. The command writes its own output, because it may be a server that uses
 * stdout for a protocol; exceptions and invalid command lines are still reported with an envelope.
 */
export async function runProgramCommand(
  source: RegistrySource,
  cli: CliOptions,
  { command, argv, options, given }: ProgramCommandLine,
  streams: Streams,
): Promise<{ readonly code: number; readonly staysOpen: boolean }> {
  const { name, command: program = name, options: declared = [] } = cli;
  const { stdout } = streams;
  const started = performance.now();
  const globals = createGlobalValues();
  const isTerminal = stdout.isTTY === true;
  let format: OutputFormat | undefined;
  try {
    checkProgramOptions(declared);
    for (const [option, value] of given) option.set(value);
    // An option of the command hides a program option of the same name.
    const own = new Set((command.options ?? []).map(({ flags }) => toFlag(flags)));
    const shared = options.filter(({ spellings }) => !spellings.some((flag) => own.has(flag)));
    format = readOutputVariable(cli, streams.env);
    const parsed = parseValues(program, command, shared, globals, argv, cli.refusals);
    if (parsed === undefined) {
      const width = (stdout.isTTY ? stdout.columns : undefined) ?? 80;
      await writeText(stdout, toProgramCommandHelp(program, command, shared, width));
      return { code: 0, staysOpen: false };
    }
    if (globals.output === undefined) format ??= await lookUpOutput(cli);
    const { values, operands } = parsed;
    const whole = await resolveOperands(command, values, cli.resolvers ?? {});
    await command.run(whole, { output: toShownFormat(globals.output ?? format, isTerminal), operands });
    return { code: 0, staysOpen: true };
  } catch (thrown) {
    const describeRemedy = await findCommandWriter(thrown, source, cli, options);
    const context = {
      ...{ registry: undefined, requestId: undefined, started, isInterrupted: false },
      describeRemedy,
    };
    const asked = globals.output ?? findOutputFormat(argv) ?? format ?? (await lookUpOutput(cli));
    const reserved = reserveStdout(streams);
    const code = await printReply(
      toRefusal(thrown, context),
      toShownFormat(asked, isTerminal),
      reserved,
      streams,
    );
    reserved.release();
    return { code, staysOpen: false };
  }
}

/** Opens the registry to format a remedy that may be a tool call as a command. */
async function findCommandWriter(
  thrown: unknown,
  source: RegistrySource,
  cli: CliOptions,
  options: readonly ProgramOptionState[],
): Promise<DescribeRemedy | undefined> {
  if (!isContractError(thrown)) return undefined;
  try {
    const words = options.flatMap((option) => option.words);
    return createCommandWriter(await openProgram(source, cli), words);
  } catch {
    // Opening the registry may fail with the same error that is being reported.
    return undefined;
  }
}

/** Parses the words of a program command; undefined if the words ask for help. */
function parseValues(
  programName: string,
  { name, arguments: declared = [], options = [] }: ProgramCommand,
  shared: readonly ProgramOptionState[],
  globals: GlobalValues,
  argv: readonly string[],
  refusals: CliOptions["refusals"] = {},
): { readonly values: CommandValues; readonly operands: readonly string[] } | undefined {
  const values: Record<string, string | boolean> = {};
  const refuse = (constraint: string, reason: string, hint = ""): UsageError =>
    usageError(
      { field: "arguments", constraint },
      `Cannot run ${programName} ${name}: ${reason}`,
      `${hint}${programName} ${name} --help lists its options.`,
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
  // An option of the command hides an option that every command takes.
  const everywhere = outputParserOptions(globals).filter(({ flag }) =>
    own.every((each) => each.flag !== flag),
  );
  const known = [...own, ...shared.flatMap(programParserOptions), ...everywhere];
  const { operands, unknown } = splitWords(known, argv, ({ flag }) => {
    const shown = [...options, ...shared].find(({ flags }) => toFlag(flags) === flag);
    return refuse("optionMissingArgument", `option '${shown?.flags ?? `${flag} <value>`}' argument missing`);
  });
  if (unknown.includes("-h") || unknown.includes("--help")) return undefined;
  const [first] = unknown;
  if (first !== undefined) {
    const names = [...known.flatMap(({ flag, isHidden }) => (isHidden ? [] : [flag])), "--help"];
    const [flag = ""] = first.split("=", 1);
    const refusal = Object.hasOwn(refusals, `${name} ${flag}`) ? refusals[`${name} ${flag}`] : undefined;
    const guess = refusal === undefined && /^--./.test(flag) ? nearest(flag, names) : undefined;
    const hint = guess === undefined ? `${refusal ?? ""} `.trimStart() : `Did you mean ${guess}? `;
    throw refuse("unknownOption", `unknown option '${first}'`, hint);
  }
  const missing = declared.find(({ required }, index) => required && operands[index] === undefined);
  if (missing !== undefined) throw refuse("missingArgument", `missing required argument '${missing.name}'`);
  if (operands.length > declared.length && declared.at(-1)?.isRepeated !== true) {
    const expected = `${declared.length} argument${declared.length === 1 ? "" : "s"}`;
    const reason = `too many arguments for '${name}'. Expected ${expected} but got ${operands.length}.`;
    throw refuse("excessArguments", reason);
  }
  for (const [index, { name: operandName }] of declared.entries()) {
    const operand = operands[index];
    if (operand !== undefined) values[operandName] = operand;
  }
  return { values, operands };
}

/** Replaces shortened operands with complete values. */
async function resolveOperands(
  { arguments: declared = [] }: ProgramCommand,
  values: CommandValues,
  resolvers: ParameterResolvers,
): Promise<CommandValues> {
  const whole: Record<string, string | boolean | undefined> = { ...values };
  for (const { name } of declared) {
    const value = whole[name];
    const resolver = Object.hasOwn(resolvers, name) ? resolvers[name] : undefined;
    if (typeof value !== "string" || resolver === undefined) continue;
    whole[name] = await resolveValue(name, value, resolver, whole);
  }
  return whole;
}

function toFlag(flags: string): string {
  return flags.split(" ", 1)[0] ?? "";
}
