import { root } from "../source-files.ts";
import { plantedSecret } from "./failing-tools.ts";

/** Patterns that no response may match, by name. */
const forbidden: Readonly<Record<string, RegExp>> = {
  "a planted secret": new RegExp(plantedSecret),
  "a stack frame": /\\n\s+at .+:\d+/,
  "a path of this machine": new RegExp([root, process.execPath].map(quote).join("|")),
  "an address of a module": /file:\/\/|node:internal|node_modules/,
  "a path of the planted error": /\/var\/lib\/private/,
};

/** Returns the names of the patterns that a text matches. */
export function findLeaks(text: string): string[] {
  return Object.entries(forbidden).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []));
}

function quote(text: string): string {
  return text.replace(/\/$/, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
