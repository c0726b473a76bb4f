import { type DescribeRemedy, describeRemedy as describeCall } from "@foundry-mcp/contract";
import type { Canvas } from "../define/action.ts";
import { createColors } from "./colors.ts";
import { showsUnicode } from "./glyphs.ts";

/** The properties that a stream has if it is a terminal. */
export interface TerminalSize {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the canvas for texts that people read on a stream. */
export function canvasOf(
  stream: TerminalSize,
  env: Environment,
  describeRemedy: DescribeRemedy = describeCall,
): Canvas {
  return {
    width: terminalWidth(stream, env),
    colors: createColors(stream.isTTY === true, env),
    unicode: showsUnicode(env),
    describeRemedy,
  };
}

/** Returns the width of a terminal; a pipe has a width only if `COLUMNS` is set. */
function terminalWidth({ isTTY, columns }: TerminalSize, { COLUMNS }: Environment): number | undefined {
  const asked = /^[1-9]\d{0,5}$/.test(COLUMNS ?? "") ? Number(COLUMNS) : undefined;
  // A terminal that does not know its own width reports 0.
  const known = columns === 0 ? undefined : columns;
  return known ?? asked ?? (isTTY === true ? 80 : undefined);
}
