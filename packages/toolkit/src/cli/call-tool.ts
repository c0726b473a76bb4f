import type { Envelope, UnknownRecord } from "@foundry-mcp/contract";
import type { Caller } from "../context/call.ts";
import type { Logger } from "../context/logger.ts";
import type { Outcome } from "../dispatch/dispatch.ts";
import type { CliCommand } from "./command-tree.ts";
import { interrupted } from "./process-watch.ts";
import type { Program } from "./program.ts";
import { createProgressLine } from "./progress-line.ts";
import { describeFault, type Reply } from "./reply.ts";
import { toShellCommand } from "./shell-words.ts";
import type { TextStream } from "./streams.ts";
import { toArgvIn } from "./to-argv.ts";
import { toVisible } from "./visible.ts";
import { parseTimeout, type Wishes } from "./wishes.ts";

/** What a call from the command line is made with. */
export interface CallPlace {
  readonly stderr: TextStream;
  readonly signal: AbortSignal;
  readonly logger: Logger | undefined;
}

/** Calls the tool of a command through the one path. */
export async function callTool(
  program: Program,
  { tool }: CliCommand,
  args: UnknownRecord,
  wishes: Wishes,
  { stderr, signal, logger }: CallPlace,
): Promise<Reply> {
  const timeoutMs = wishes.timeout === undefined ? undefined : parseTimeout(wishes.timeout);
  const line = createProgressLine(stderr);
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
      stderr.write(`${level}: ${toVisible(typeof data === "string" ? data : JSON.stringify(data))}\n`);
    },
  };
  const { registry } = program;
  const outcome = await registry.dispatch(
    { tool: tool.name, args, requestId: wishes.requestId, timeoutMs },
    caller,
  );
  line.clear();
  const isLogged = (logger ?? registry.options.logger) !== undefined;
  return {
    code: exitCodeOf(outcome.envelope, signal),
    // People see just what programs read, not the objects that a handler keeps.
    wire: wishes.human ? { envelope: JSON.parse(outcome.json) as Envelope, text: outcome.text } : outcome,
    notes: [...faultNotes(outcome, isLogged), ...attachmentNotes(outcome)],
    next: toNextPage(program, tool.name, args, outcome.envelope),
  };
}

function exitCodeOf({ success, data }: Envelope, { aborted }: AbortSignal): number {
  if (success) return 0;
  return aborted && data["error_code"] === "CANCELLED" ? interrupted : 1;
}

/** The envelope does not tell what broke; where no log does either, the terminal must. */
function faultNotes({ envelope, stopped }: Outcome, isLogged: boolean): readonly string[] {
  const isFault = !envelope.success && envelope.data.error_code === "INTERNAL_ERROR";
  return isFault && !isLogged && stopped !== undefined ? [describeFault(stopped)] : [];
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
): string | undefined {
  const { pagination } = meta;
  if (pagination === undefined || !pagination.has_more || pagination.cursor === null) return undefined;
  const words = toArgvIn(tree, registry, tool, { ...args, cursor: pagination.cursor });
  return toShellCommand([name, ...words, "--human"]);
}
