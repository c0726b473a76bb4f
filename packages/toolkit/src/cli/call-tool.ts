import type { Envelope, UnknownRecord } from "@foundry-mcp/contract";
import type { Caller } from "../context/call.ts";
import type { Logger } from "../context/logger.ts";
import type { Outcome } from "../dispatch/dispatch.ts";
import type { CliCommand, Program } from "./command-tree.ts";
import { createCommandWriter } from "./describe-command.ts";
import { type GlobalValues, parseTimeout } from "./global-options.ts";
import { interruptedCode } from "./process-watch.ts";
import { createProgressLine } from "./progress-line.ts";
import { describeFault, type Reply } from "./reply.ts";
import { toShellCommand } from "./shell-words.ts";
import type { Streams } from "./streams.ts";
import { toVisible } from "./terminal-text.ts";
import type { TimeBudget } from "./time-budget.ts";
import { toArgvIn } from "./to-argv.ts";

type Further = NonNullable<Reply["further"]>[number];

/** The dependencies of a call from the command line. */
export interface CallDeps {
  readonly streams: Pick<Streams, "stderr">;
  readonly signal: AbortSignal;
  readonly logger: Logger | undefined;
  /** Knows how much of the timeout has passed already. */
  readonly time: TimeBudget;
}

/** Calls the tool of a command through dispatch, as every surface does. */
export async function callTool(
  program: Program,
  { tool, action }: CliCommand,
  args: UnknownRecord,
  globals: GlobalValues,
  { streams, signal, logger, time }: CallDeps,
): Promise<Reply> {
  const timeoutMs = globals.timeout === undefined ? undefined : time.remaining(parseTimeout(globals.timeout));
  const line = createProgressLine(streams);
  const caller: Caller = {
    surface: "cli",
    client: { name: program.name, version: program.version },
    // A pipe has no token limit: nothing is left out unless the call asks for it.
    maxTokens: 0,
    describeRemedy: createCommandWriter(program, programWords(globals)),
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
    // People see what programs read, which may differ from the objects of the handler.
    wire: globals.human ? { envelope: JSON.parse(outcome.json) as Envelope, text: outcome.text } : outcome,
    notes: [...faultNotes(outcome, isLogged), ...attachmentNotes(outcome)],
    show: action.definition.cli === false ? undefined : action.definition.cli?.show,
    empty: toEmptyText(outcome.envelope, action.definition.readOnly === true),
    further: [
      ...toNextPage(program, tool.name, args, outcome.envelope, globals),
      ...toArchived(program, outcome.envelope, globals),
    ],
  };
}

function exitCodeOf({ success, data }: Envelope, { aborted }: AbortSignal): number {
  if (success) return 0;
  return aborted && data["error_code"] === "CANCELLED" ? interruptedCode : 1;
}

/** The envelope hides what broke; without a log, the terminal must show it. */
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
  { name, tree, registry }: Program,
  tool: string,
  args: UnknownRecord,
  { meta }: Envelope,
  globals: GlobalValues,
): readonly Further[] {
  const { pagination } = meta;
  if (pagination === undefined || !pagination.has_more || pagination.cursor === null) return [];
  const words = toArgvIn(tree, registry, tool, { ...args, cursor: pagination.cursor });
  return [["More", toShellCommand([name, ...words, ...programWords(globals), "--human"])]];
}

/** The commands that return the content that was left out: the warnings name it as calls, which nobody can type. */
function toArchived(
  { name, tree, registry }: Program,
  { meta }: Envelope,
  globals: GlobalValues,
): readonly Further[] {
  const content = registry.tools.find((tool) => tool.name === "content");
  const get = content?.findAction("get");
  if (get === undefined || !get.input.parameters.has("archive_id") || tree.commandOf(get) === undefined)
    return [];
  return Object.keys(meta.content_archive_hashes ?? {}).map((archive_id) => {
    const words = toArgvIn(tree, registry, "content", { action: "get", archive_id });
    return ["Rest", toShellCommand([name, ...words, ...programWords(globals), "--human"])];
  });
}

/** The program options of this line: the next command needs them again. */
function programWords({ options }: GlobalValues): readonly string[] {
  return options.flatMap(({ words }) => words);
}

/** The text for an empty payload: a read that found nothing has not "done" anything. */
function toEmptyText({ meta }: Envelope, isRead: boolean): string {
  const { content_fidelity: fidelity } = meta;
  if (fidelity !== undefined && fidelity !== "full") return "Everything is left out.";
  return isRead ? "Nothing." : "Done.";
}
