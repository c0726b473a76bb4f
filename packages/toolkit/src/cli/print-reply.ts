import type { Envelope } from "@foundry-mcp/contract";
import type { Canvas, CliPlacement } from "../define/action.ts";
import { createColors, isColored } from "./colors.ts";
import type { GlobalValues } from "./global-options.ts";
import { toHumanData, toHumanNotes } from "./human.ts";
import { describeFault, type Reply } from "./reply.ts";
import { type KeptStdout, type Streams, type TextStream, writeText } from "./streams.ts";
import { toVisible, toVisibleJson } from "./terminal-text.ts";

/** Writes a reply where it belongs, waits until it has left, and returns the exit code. */
export async function printReply(
  reply: Reply,
  { human }: GlobalValues,
  kept: KeptStdout,
  streams: Streams,
): Promise<number> {
  const { env } = streams;
  const { wire, text = "", notes = [], further = [], code } = reply;
  const say = (said: string) => (said === "" ? undefined : writeText(streams.stderr, said));
  await say(notes.map((note) => `${toVisible(note, { keepLines: true })}\n`).join(""));
  const isForPeople = human && wire !== undefined;
  const { text: own, fault } = isForPeople
    ? showAnswer(reply.show, wire.envelope, canvasOf(streams.stdout, env))
    : {};
  if (fault !== undefined) await say(`${toVisible(fault, { keepLines: true })}\n`);
  const data = isForPeople
    ? (own ?? toAnyAnswer(reply, wire.envelope, canvasOf(streams.stdout, env)))
    : wire === undefined
      ? text
      : `${kept.isTerminal ? toVisibleJson(wire.text) : wire.text}\n`;
  const lost = data === "" ? undefined : await kept.write(data);
  if (isForPeople) {
    const canvas = canvasOf(streams.stderr, env);
    const more = further.map(([name, command]) => `${canvas.colors.dim(`${name}:`)} ${command}\n`);
    await say(`${toHumanNotes(wire.envelope, canvas)}${more.join("")}`);
  }
  // A reader that has seen enough, such as head, is no failure; a full disk is.
  if (lost === undefined || isGone(lost)) return code;
  await say(`Cannot write the answer: ${(lost as NodeJS.ErrnoException).code ?? lost.name}\n`);
  return code === 0 ? 1 : code;
}

/** What is made of an answer that nobody shows in a way of its own. */
function toAnyAnswer({ empty }: Reply, { success, data }: Envelope, canvas: Canvas): string {
  return success ? toHumanData(data, canvas, empty) : "";
}

function isGone(err: Error): boolean {
  const { code } = err as NodeJS.ErrnoException;
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}

function canvasOf(stream: TextStream, env: Streams["env"]): Canvas {
  const isTerminal = stream.isTTY === true;
  return { width: widthOf(stream, env), colors: createColors(isTerminal, env) };
}

/** How wide it may be; in a pipe only where somebody says so, as `COLUMNS` does. */
function widthOf({ isTTY, columns }: TextStream, { COLUMNS }: Streams["env"]): number | undefined {
  const asked = /^[1-9]\d{0,5}$/.test(COLUMNS ?? "") ? Number(COLUMNS) : undefined;
  // A terminal that does not know its own width says 0.
  const known = columns === 0 ? undefined : columns;
  return known ?? asked ?? (isTTY === true ? 80 : undefined);
}

/** What an action says of its own answer; neither text nor fault where it leaves that to others. */
interface Shown {
  readonly text?: string;
  /** What its `show` threw, for the person who can mend it. */
  readonly fault?: string;
}

/** Lets an action show its own answer. What `show` does wrong costs nobody the answer. */
function showAnswer(show: CliPlacement["show"], envelope: Envelope, canvas: Canvas): Shown {
  if (show === undefined) return {};
  let text: unknown;
  try {
    text = show(envelope, canvas);
  } catch (thrown) {
    return { fault: `Cannot show the answer as its action does: ${describeFault(thrown)}` };
  }
  if (typeof text !== "string") return {};
  const safe = keepColors(text, canvas);
  return { text: safe === "" || safe.endsWith("\n") ? safe : `${safe}\n` };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of our own colours are looked for
const ownColors = /(\u001b\[(?:1|2|22|31|32|33|39)m)/;

/** The payload may come from anywhere: besides the colours of the canvas a terminal gets nothing but text. */
function keepColors(text: string, { colors }: Canvas): string {
  if (!isColored(colors)) return toVisible(text, { keepLines: true });
  return text
    .split(ownColors)
    .map((part, index) => (index % 2 === 1 ? part : toVisible(part, { keepLines: true })))
    .join("");
}
