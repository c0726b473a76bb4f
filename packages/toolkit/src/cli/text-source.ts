import { internal } from "@foundry-mcp/contract";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import type { ValueForm } from "./value-form.ts";

/**
 * The way in which texts of a parameter are interpreted: `reference` resolves `@file` and `-`, `literal` uses the
 * text unchanged, and `file` treats the text as a path.
 */
export type TextSource = "reference" | "literal" | "file";

/** Returns the text sources that an action declares, by parameter; all other parameters are references. */
export function toTextSources(
  { definition: { cli }, label }: PreparedAction,
  forms: ReadonlyMap<string, ValueForm>,
): ReadonlyMap<string, TextSource> {
  const sources = new Map<string, TextSource>();
  if (cli === false || cli === undefined) return sources;
  const { literal = [], files = [] } = cli;
  for (const name of literal) {
    if (!forms.has(name)) throw misplaced(label, `it takes no parameter ${name}`);
    sources.set(name, "literal");
  }
  for (const name of files) {
    const form = forms.get(name);
    if (form === undefined) throw misplaced(label, `it takes no parameter ${name}`);
    // The content of a file is passed as one string, so the parameter must accept a string.
    if (!form.types.has("string")) throw misplaced(label, `${name} names a file, but does not accept text`);
    if (sources.has(name)) throw misplaced(label, `${name} is both literal and a file`);
    sources.set(name, "file");
  }
  return sources;
}

function misplaced(label: string, why: string) {
  return internal(`Cannot place ${label} on the command line: ${why}`);
}
