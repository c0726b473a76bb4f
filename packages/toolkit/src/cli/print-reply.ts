import type { Envelope } from "@foundry-mcp/contract";
import type { Canvas, CliPlacement } from "../define/action.ts";
import { createColors, isColored } from "./colors.ts";
import type { GlobalValues } from "./global-options.ts";
import { toHumanData, toHumanNotes } from "./human.ts";
import { describeFault, type Reply } from "./reply.ts";
import { type ReservedStdout, type Streams, type TextStream, writeText } from "./streams.ts";
import { toVisible, toVisibleJson } from "./terminal-text.ts";

/** Writes a reply to stdout and stderr, waits until it is written, and returns the exit code. */
export async function printReply(
  reply: Reply,
  { human }: GlobalValues,
  stdout: ReservedStdout,
  streams: Streams,
): Promise<number> {
  const { env } = streams;
  const { wire, text = "", notes = [], further = [], code } = reply;
  const note = (text: string) => (text === "" ? undefined : writeText(streams.stderr, text));
  await note(notes.map((line) => `${toVisible(line, { keepLines: true })}\n`).join(""));
  const isForPeople = human && wire !== undefined;
  const { text: shown, fault } = isForPeople
    ? showAnswer(reply.show, wire.envelope, canvasOf(streams.stdout, env))
    : {};
  if (fault !== undefined) await note(`${toVisible(fault, { keepLines: true })}\n`);
  const data = isForPeople
    ? (shown ?? toDefaultText(reply, wire.envelope, canvasOf(streams.stdout, env)))
    : wire === undefined
      ? text
      : `${stdout.isTerminal ? toVisibleJson(wire.text) : wire.text}\n`;
  const failure = data === "" ? undefined : await stdout.write(data);
  if (isForPeople) {
    const canvas = canvasOf(streams.stderr, env);
    const more = further.map(([name, command]) => `${canvas.colors.dim(`${name}:`)} ${command}\n`);
    await note(`${toHumanNotes(wire.envelope, canvas)}${more.join("")}`);
  }
  // A reader that has seen enough, such as head, is no failure; a full disk is.
  if (failure === undefined || isClosedPipe(failure)) return code;
  await note(`Cannot write the answer: ${(failure as NodeJS.ErrnoException).code ?? failure.name}\n`);
  return code === 0 ? 1 : code;
}

/** The text of an answer whose action has no `show`. */
function toDefaultText({ empty }: Reply, { success, data }: Envelope, canvas: Canvas): string {
  return success ? toHumanData(data, canvas, empty) : "";
}

function isClosedPipe(err: Error): boolean {
  const { code } = err as NodeJS.ErrnoException;
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}

function canvasOf(stream: TextStream, env: Streams["env"]): Canvas {
  const isTerminal = stream.isTTY === true;
  return { width: terminalWidth(stream, env), colors: createColors(isTerminal, env) };
}

/** The width of a terminal; a pipe has one only if `COLUMNS` is set. */
function terminalWidth({ isTTY, columns }: TextStream, { COLUMNS }: Streams["env"]): number | undefined {
  const asked = /^[1-9]\d{0,5}$/.test(COLUMNS ?? "") ? Number(COLUMNS) : undefined;
  // A terminal that does not know its own width reports 0.
  const known = columns === 0 ? undefined : columns;
  return known ?? asked ?? (isTTY === true ? 80 : undefined);
}

/** The result of an action's `show`; empty if it has none or returns no text. */
interface Shown {
  readonly text?: string;
  /** The exception of `show`, for the author of the action. */
  readonly fault?: string;
}

/** Calls `show` of the action. If it throws, the answer is shown in the default way. */
function showAnswer(show: CliPlacement["show"], envelope: Envelope, canvas: Canvas): Shown {
  if (show === undefined) return {};
  let text: unknown;
  try {
    // The registry stores actions without the types of their payloads.
    text = show(envelope as Envelope<never>, canvas);
  } catch (thrown) {
    return { fault: `Cannot show the answer as its action does: ${describeFault(thrown)}` };
  }
  if (typeof text !== "string") return {};
  const safe = keepColors(text, canvas);
  return { text: safe === "" || safe.endsWith("\n") ? safe : `${safe}\n` };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches the escape sequences of `Colors`
const ownColors = /(\u001b\[(?:1|2|22|31|32|33|39)m)/;

/** Escapes control characters other than the colours of the canvas: the payload may come from anywhere. */
function keepColors(text: string, { colors }: Canvas): string {
  if (!isColored(colors)) return toVisible(text, { keepLines: true });
  return text
    .split(ownColors)
    .map((part, index) => (index % 2 === 1 ? part : toVisible(part, { keepLines: true })))
    .join("");
}
