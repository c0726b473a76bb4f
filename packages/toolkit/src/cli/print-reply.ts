import { createColors } from "./colors.ts";
import { type Canvas, toHumanData, toHumanNotes } from "./human.ts";
import type { Reply } from "./reply.ts";
import { type KeptStdout, type Streams, type TextStream, writeText } from "./streams.ts";
import { toVisible } from "./visible.ts";
import type { Wishes } from "./wishes.ts";

/** Writes a reply where it belongs, waits until it has left, and returns the exit code. */
export async function printReply(
  reply: Reply,
  { human }: Wishes,
  kept: KeptStdout,
  streams: Streams,
): Promise<number> {
  const { stdout, stderr, env } = streams;
  const { wire, text = "", notes = [], next, code } = reply;
  await writeText(stderr, notes.map((note) => `${toVisible(note, { keepLines: true })}\n`).join(""));
  const isForPeople = human && wire !== undefined;
  const data = isForPeople
    ? wire.envelope.success
      ? toHumanData(wire.envelope.data, canvasOf(stdout, env))
      : ""
    : wire === undefined
      ? text
      : `${wire.text}\n`;
  const lost = data === "" ? undefined : await kept.write(data);
  if (isForPeople) {
    const canvas = canvasOf(stderr, env);
    const more = next === undefined ? "" : `${canvas.colors.dim("More:")} ${next}\n`;
    await writeText(stderr, `${toHumanNotes(wire.envelope, canvas)}${more}`);
  }
  // A reader that has seen enough, such as head, is no failure; a full disk is.
  if (lost === undefined || isGone(lost)) return code;
  await writeText(stderr, `Cannot write the answer: ${(lost as NodeJS.ErrnoException).code ?? lost.name}\n`);
  return code === 0 ? 1 : code;
}

function isGone(err: Error): boolean {
  const { code } = err as NodeJS.ErrnoException;
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}

function canvasOf(stream: TextStream, env: Streams["env"]): Canvas {
  const isTerminal = stream.isTTY === true;
  const width = isTerminal ? (stream.columns ?? 80) : undefined;
  return { width, colors: createColors(isTerminal, env) };
}
