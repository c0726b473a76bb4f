import type { Colors } from "../define/action.ts";

const asItIs = (text: string): string => text;
const esc = "\u001b";
const between = (on: number, off: number) => (text: string) =>
  text === "" ? "" : `${esc}[${on}m${text}${esc}[${off}m`;

const noColors: Colors = { bold: asItIs, dim: asItIs, red: asItIs, green: asItIs, yellow: asItIs };
const ansiColors: Colors = {
  bold: between(1, 22),
  dim: between(2, 22),
  red: between(31, 39),
  green: between(32, 39),
  yellow: between(33, 39),
};

/** True where a text comes back with more than itself. */
export function isColored({ red }: Colors): boolean {
  return red("x") !== "x";
}

/** The colours of a stream: only on a terminal, never where NO_COLOR is set, always where FORCE_COLOR is. */
export function createColors(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Colors {
  const { FORCE_COLOR: forced, NO_COLOR: refused, TERM } = env;
  if (forced !== undefined) return forced === "0" || forced === "false" ? noColors : ansiColors;
  const isRefused = refused !== undefined && refused !== "";
  return isTerminal && !isRefused && TERM !== "dumb" ? ansiColors : noColors;
}
