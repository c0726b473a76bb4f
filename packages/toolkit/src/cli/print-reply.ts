import type { Envelope } from "@foundry-mcp/contract";
import type { Canvas, CliPlacement } from "../define/action.ts";
import { canvasOf } from "../terminal/canvas-of.ts";
import { isColored } from "../terminal/colors.ts";
import { commandLines } from "../terminal/command-lines.ts";
import { render, styled } from "../terminal/line.ts";
import { toVisible, toVisibleJson } from "../terminal/terminal-text.ts";
import { toHumanData, toHumanNotes } from "./human.ts";
import type { ShownFormat } from "./output-format.ts";
import { describeFault, type Reply, type WireReply } from "./reply.ts";
import { type ReservedStdout, type Streams, type TextStream, writeText } from "./streams.ts";

/** Writes a reply to stdout and stderr, waits until it is written, and returns the exit code. */
export async function printReply(
  reply: Reply,
  format: ShownFormat,
  stdout: ReservedStdout,
  streams: Streams,
): Promise<number> {
  const { wire, text = "", notes = [], further = [], below = "", code } = reply;
  const canvasFor = (stream: TextStream) => canvasOf(stream, streams.env, reply.describeRemedy);
  const note = (text: string) => (text === "" ? undefined : writeText(streams.stderr, text));
  await note(notes.map((line) => `${toVisible(line, { keepLines: true })}\n`).join(""));
  const answer = format === "human" && wire !== undefined ? toReadEnvelope(wire) : undefined;
  const { text: shown, fault } =
    answer === undefined ? {} : showAnswer(reply.show, answer, canvasFor(streams.stdout));
  if (fault !== undefined) await note(`${toVisible(fault, { keepLines: true })}\n`);
  const data =
    answer !== undefined
      ? `${shown ?? toDefaultText(reply, answer, canvasFor(streams.stdout))}${below}`
      : wire === undefined
        ? text
        : `${stdout.isTerminal ? toVisibleJson(wire.text) : wire.text}\n`;
  const failure = data === "" ? undefined : await stdout.write(data);
  if (answer !== undefined) {
    const canvas = canvasFor(streams.stderr);
    const more = further.flatMap(([name, command]) =>
      commandLines(command, canvas, { lead: [styled("dim", `${name}:`), " "] }),
    );
    await note(`${toHumanNotes(answer, canvas)}${render(more, canvas)}`);
  }
  // A reader that closes the pipe early, such as head, does not count as a failure, unlike a full disk.
  if (failure === undefined || isClosedPipe(failure)) return code;
  await note(`Cannot write the answer: ${(failure as NodeJS.ErrnoException).code ?? failure.name}\n`);
  return code === 0 ? 1 : code;
}

/** Formats an answer whose action has no `show`. */
function toDefaultText({ empty }: Reply, { success, data }: Envelope, canvas: Canvas): string {
  return success ? toHumanData(data, canvas, empty) : "";
}

function toReadEnvelope({ envelope, json }: WireReply): Envelope {
  return json === undefined ? envelope : (JSON.parse(json) as Envelope);
}

function isClosedPipe(err: Error): boolean {
  const { code } = err as NodeJS.ErrnoException;
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}

/** The result of an action's `show`; empty if the action has no `show` or `show` returns no text. */
interface Shown {
  readonly text?: string;
  /** A description of the exception that `show` threw. The description is for the author of the action. */
  readonly fault?: string;
}

/** Calls `show` of the action; if it throws, the answer is shown in the default format. */
function showAnswer(show: CliPlacement["show"], envelope: Envelope, canvas: Canvas): Shown {
  if (show === undefined) return {};
  let text: unknown;
  try {
    // The cast is needed because the registry stores actions without the types of their payloads.
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

/** Escapes control characters other than the colors of the canvas, because the payload is not trusted. */
function keepColors(text: string, { colors }: Canvas): string {
  if (!isColored(colors)) return toVisible(text, { keepLines: true });
  return text
    .split(ownColors)
    .map((part, index) => (index % 2 === 1 ? part : toVisible(part, { keepLines: true })))
    .join("");
}
