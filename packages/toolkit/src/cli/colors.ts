import picocolors from "picocolors";
import type { Colors } from "../define/action.ts";

/** True if the colours are on. */
export function isColored({ red }: Colors): boolean {
  return red("x") !== "x";
}

/** The colours of a stream: only on a terminal, never with NO_COLOR, always with FORCE_COLOR. */
export function createColors(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Colors {
  return picocolors.createColors(hasColors(isTerminal, env));
}

function hasColors(
  isTerminal: boolean,
  { FORCE_COLOR: forced, NO_COLOR: refused, TERM }: Readonly<Record<string, string | undefined>>,
): boolean {
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  const isRefused = refused !== undefined && refused !== "";
  return isTerminal && !isRefused && TERM !== "dumb";
}
