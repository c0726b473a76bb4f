import type { Envelope } from "@foundry-mcp/contract";
import type { Canvas, CliPlacement } from "../define/action.ts";
import { isColored } from "./colors.ts";
import { describeFault } from "./reply.ts";
import { toVisible } from "./terminal-text.ts";

/** What an action says of its own answer; neither text nor fault where it leaves that to others. */
export interface Shown {
  readonly text?: string;
  /** What its `show` threw, for the person who can mend it. */
  readonly fault?: string;
}

/** Lets an action show its own answer. What `show` does wrong costs nobody the answer. */
export function showAnswer(show: CliPlacement["show"], envelope: Envelope, canvas: Canvas): Shown {
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
