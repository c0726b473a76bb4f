import type { Colors } from "@foundry-mcp/toolkit/cli";

/** The room for a frame. */
export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly colors: Colors;
  /** The zone that times are told in. @default that of the machine */
  readonly timeZone?: string | undefined;
}

const asItIs = (text: string): string => text;
const noColors: Colors = { bold: asItIs, dim: asItIs, red: asItIs, green: asItIs, yellow: asItIs };
const between = (on: number, off: number) => (text: string) =>
  text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`;
const ansiColors: Colors = {
  bold: between(1, 22),
  dim: between(2, 22),
  red: between(31, 39),
  green: between(32, 39),
  yellow: between(33, 39),
};

/** The colours of a terminal: none where NO_COLOR says so. */
export function screenColors({
  NO_COLOR: refused = "",
}: Readonly<Record<string, string | undefined>>): Colors {
  return refused === "" ? ansiColors : noColors;
}
