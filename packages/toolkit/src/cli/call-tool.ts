import type { DescribeRemedy, Envelope, UnknownRecord } from "@foundry-mcp/contract";
import type { Caller } from "../context/call.ts";
import type { Logger } from "../context/logger.ts";
import type { Outcome } from "../dispatch/dispatch.ts";
import { isConfirmation } from "../schema/confirmation.ts";
import { toVisible } from "../terminal/terminal-text.ts";
import type { CliCommand, Program } from "./command-tree.ts";
import { createCallWriter, createCommandWriter } from "./describe-command.ts";
import { type GlobalValues, parseTimeout } from "./global-options.ts";
import { findMeantArguments } from "./parameter-resolver.ts";
import { interruptedCode } from "./process-watch.ts";
import { createProgressLine } from "./progress-line.ts";
import { describeFault, type Reply } from "./reply.ts";
import { toShellCommand } from "./shell-words.ts";
import type { Streams } from "./streams.ts";
import type { TimeBudget } from "./time-budget.ts";
import { toArgvIn } from "./to-argv.ts";

type Further = NonNullable<Reply["further"]>[number];

/** The dependencies of a call from the command line. */
export interface CallDeps {
  readonly streams: Pick<Streams, "stderr">;
  readonly signal: AbortSignal;
  readonly logger: Logger | undefined;
  /** Computes how much of the timeout is left. */
  readonly time: TimeBudget;
}

/** Calls the tool of a command through `dispatch`, like every other surface. */
export async function callTool(
  program: Program,
  { tool, action }: CliCommand,
  args: UnknownRecord,
  globals: GlobalValues,
  { streams, signal, logger, time }: CallDeps,
): Promise<Reply> {
  const timeoutMs = globals.timeout === undefined ? undefined : time.remaining(parseTimeout(globals.timeout));
  const line = createProgressLine(streams);
  const describeRemedy = createCallWriter(action, createCommandWriter(program, programWords(globals)));
  const caller: Caller = {
    surface: "cli",
    client: { name: program.name, version: program.version },
    // On the command line, output is complete unless the call sets a token budget.
    maxTokens: 0,
    describeRemedy,
    signal,
    logger,
    sendProgress: (progress) => line.show(progress),
    sendLog: (level, data) => {
      line.clear();
      streams.stderr.write(
        `${level}: ${toVisible(typeof data === "string" ? data : JSON.stringify(data))}\n`,
      );
    },
  };
  const { registry } = program;
  const outcome = await registry.dispatch(
    { tool: tool.name, args, requestId: globals.requestId, timeoutMs },
    caller,
  );
  line.clear();
  const isLogged = (logger ?? registry.options.logger) !== undefined;
  return {
    code: exitCodeOf(outcome.envelope, signal),
    wire: outcome,
    describeRemedy,
    notes: [...faultNotes(outcome, isLogged), ...attachmentNotes(outcome)],
    show: action.definition.cli === false ? undefined : action.definition.cli?.show,
    empty: toEmptyText(outcome.envelope, action.definition.readOnly === true),
    further: [
      ...(await toCompleted({ tool: tool.name, action, args }, outcome.envelope, describeRemedy, program)),
      ...toNextPage(program, tool.name, args, outcome.envelope, globals),
      ...toArchived(program, outcome.envelope, globals),
    ],
  };
}

/**
 * Suggests the same command completed with its missing arguments; a word in capitals stands for each value that
 * only the user knows. Ids are whole, because a destructive command takes no others, and a text in the place of an id
 * becomes the missing text.
 */
async function toCompleted(
  call: { readonly tool: string; readonly action: CliCommand["action"]; readonly args: UnknownRecord },
  { success, data }: Envelope,
  describeRemedy: DescribeRemedy,
  { resolvers }: Program,
): Promise<readonly Further[]> {
  if (success || data["error_code"] !== "MISSING_REQUIRED" || data["remedy"] !== undefined) return [];
  const { tool, action, args } = call;
  const { cli } = action.definition;
  const missing = missingFields(data["details"]);
  const parameters = missing.map((name) => action.input.parameters.get(name));
  if (missing.length === 0 || parameters.includes(undefined)) return [];
  const isFlag = (name: string) => isConfirmation(action.input.parameters.get(name)?.json);
  const [first, second = missing.findLast((name) => !isFlag(name))] =
    (cli === false ? undefined : cli?.arguments) ?? [];
  const given = await findMeantArguments(args, [first, second], resolvers, `${tool} ${action.name}`);
  const flags = Object.fromEntries(missing.filter(isFlag).map((name) => [name, true]));
  const lacking = first !== undefined && args[first] !== undefined ? [first, ...missing] : missing;
  const needs = lacking.filter((name) => !isFlag(name) && given[name] === undefined);
  return [["try", describeRemedy({ tool, action: action.name, arguments: { ...given, ...flags }, needs })]];
}

/** Returns the names of the missing arguments from the details of a failure. */
function missingFields(details: unknown): readonly string[] {
  const { field, errors = [{ field }] } = (details ?? {}) as {
    readonly field?: unknown;
    readonly errors?: readonly { readonly field?: unknown }[];
  };
  return errors.map((each) => each.field).filter((name) => typeof name === "string");
}

function exitCodeOf({ success, data }: Envelope, { aborted }: AbortSignal): number {
  if (success) return 0;
  return aborted && data["error_code"] === "CANCELLED" ? interruptedCode : 1;
}

/**
 * Returns lines that describe the thrown error. The envelope does not contain the thrown error, so the
 * terminal must show it if there is no log.
 */
function faultNotes({ envelope, thrown }: Outcome, isLogged: boolean): readonly string[] {
  const isFault = !envelope.success && envelope.data.error_code === "INTERNAL_ERROR";
  return isFault && !isLogged && thrown !== undefined ? [describeFault(thrown)] : [];
}

function attachmentNotes({ blocks }: Outcome): readonly string[] {
  const lost = blocks.filter(({ type }) => type !== "resource_link").length;
  if (lost === 0) return [];
  const subject = lost === 1 ? "1 attachment is" : `${lost} attachments are`;
  return [`${subject} not shown: a command answers with its envelope alone`];
}

function toNextPage(
  { command, tree, registry }: Program,
  tool: string,
  args: UnknownRecord,
  { meta }: Envelope,
  globals: GlobalValues,
): readonly Further[] {
  const { pagination } = meta;
  if (pagination === undefined || !pagination.has_more || pagination.cursor === null) return [];
  const words = toArgvIn(tree, registry, tool, { ...args, cursor: pagination.cursor });
  return [
    ["More", `${command} ${toShellCommand([...words, ...programWords(globals), ...outputWords(globals)])}`],
  ];
}

/**
 * Lists the commands that return the content that a response left out. The warnings of the envelope name only
 * tool calls, which cannot be typed in a terminal.
 */
function toArchived(
  { command, tree, registry }: Program,
  { meta }: Envelope,
  globals: GlobalValues,
): readonly Further[] {
  const content = registry.tools.find((tool) => tool.name === "content");
  const get = content?.findAction("get");
  if (get === undefined || !get.input.parameters.has("archive_id") || tree.commandOf(get) === undefined)
    return [];
  return Object.keys(meta.content_archive_hashes ?? {}).map((archive_id) => {
    const words = toArgvIn(tree, registry, "content", { action: "get", archive_id });
    return [
      "Rest",
      `${command} ${toShellCommand([...words, ...programWords(globals), ...outputWords(globals)])}`,
    ];
  });
}

/** Returns the program options of this command line, which the next command needs again. */
export function programWords({ options }: GlobalValues): readonly string[] {
  return options.flatMap(({ words }) => words);
}

/** Returns the output format option of this command line, which the next command needs again. */
function outputWords({ output }: GlobalValues): readonly string[] {
  return output === "human" ? ["--human"] : [];
}

/** Returns the text for an empty payload; the text "Done." would be wrong for a read that found nothing. */
function toEmptyText({ meta }: Envelope, isRead: boolean): string {
  const { content_fidelity: fidelity } = meta;
  if (fidelity !== undefined && fidelity !== "full") return "It has nothing else to show.";
  return isRead ? "Nothing." : "Done.";
}
