import type { Envelope, UnknownRecord } from "@foundry-mcp/contract";
import type { Caller } from "../context/call.ts";
import type { Logger } from "../context/logger.ts";
import type { Outcome } from "../dispatch/dispatch.ts";
import type { CliCommand, Program } from "./command-tree.ts";
import { type GlobalValues, parseTimeout } from "./global-options.ts";
import { interrupted } from "./process-watch.ts";
import { createProgressLine } from "./progress-line.ts";
import { describeFault, type Reply } from "./reply.ts";
import { toShellCommand } from "./shell-words.ts";
import type { Streams } from "./streams.ts";
import { toVisible } from "./terminal-text.ts";
import type { TimeBudget } from "./time-budget.ts";
import { toArgvIn } from "./to-argv.ts";

type Further = NonNullable<Reply["further"]>[number];

/** What a call from the command line is made with. */
export interface CallPlace {
  readonly streams: Pick<Streams, "stderr">;
  readonly signal: AbortSignal;
  readonly logger: Logger | undefined;
  /** What has been waited for already. */
  readonly clock: TimeBudget;
}

/** Calls the tool of a command through the one path. */
export async function callTool(
  program: Program,
  { tool, action }: CliCommand,
  args: UnknownRecord,
  globals: GlobalValues,
  { streams, signal, logger, clock }: CallPlace,
): Promise<Reply> {
  const timeoutMs = globals.timeout === undefined ? undefined : clock.left(parseTimeout(globals.timeout));
  const line = createProgressLine(streams);
  const caller: Caller = {
    surface: "cli",
    client: { name: program.name, version: program.version },
    // A pipe has room for everything: nothing is left out unless the call asks for it.
    maxTokens: 0,
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
    // People see just what programs read, not the objects that a handler keeps.
    wire: globals.human ? { envelope: JSON.parse(outcome.json) as Envelope, text: outcome.text } : outcome,
    notes: [...faultNotes(outcome, isLogged), ...attachmentNotes(outcome)],
    show: action.definition.cli === false ? undefined : action.definition.cli?.show,
    empty: toEmptyText(outcome.envelope, action.definition.readOnly === true),
    further: [
      ...toNextPage(program, tool.name, args, outcome.envelope, globals),
      ...toRest(program, outcome.envelope, globals),
    ],
  };
}

function exitCodeOf({ success, data }: Envelope, { aborted }: AbortSignal): number {
  if (success) return 0;
  return aborted && data["error_code"] === "CANCELLED" ? interrupted : 1;
}

/** The envelope does not tell what broke; where no log does either, the terminal must. */
function faultNotes({ envelope, thrown }: Outcome, isLogged: boolean): readonly string[] {
  const isFault = !envelope.success && envelope.data.error_code === "INTERNAL_ERROR";
  return isFault && !isLogged && thrown !== undefined ? [describeFault(thrown)] : [];
}

function attachmentNotes({ blocks }: Outcome): readonly string[] {
  const lost = blocks.filter(({ type }) => type !== "resource_link").length;
  if (lost === 0) return [];
  const what = lost === 1 ? "1 attachment is" : `${lost} attachments are`;
  return [`${what} not shown: a command answers with its envelope alone`];
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
  return [["More", toShellCommand([name, ...words, ...givenWords(globals), "--human"])]];
}

/** The commands that give what was left out: the warnings tell it as calls, which nobody can type. */
function toRest(
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
    return ["Rest", toShellCommand([name, ...words, ...givenWords(globals), "--human"])];
  });
}

/** What the program was given decides where its tools look: a command that goes on needs it again. */
function givenWords({ options }: GlobalValues): readonly string[] {
  return options.flatMap(({ words }) => words);
}

/** A read that found nothing has done nothing either; what was left out is not nothing. */
function toEmptyText({ meta }: Envelope, isRead: boolean): string {
  const { content_fidelity: fidelity } = meta;
  if (fidelity !== undefined && fidelity !== "full") return "Everything is left out.";
  return isRead ? "Nothing." : "Done.";
}
