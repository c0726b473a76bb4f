import picocolors from "picocolors";
import type { Colors } from "../define/action.ts";

/** True if colors are enabled. */
export function isColored({ red }: Colors): boolean {
  return red("x") !== "x";
}

/**
 * Creates the colors of a stream. If FORCE_COLOR is set, 0 and false disable the colors and any other value
 * enables them. Otherwise, the colors are enabled on a terminal unless NO_COLOR is set or TERM is `dumb`.
 */
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
