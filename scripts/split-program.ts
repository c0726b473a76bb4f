import { transformSync } from "esbuild";

/** Starts the line before each part of a program. `run-cached.ts` finds the parts by these lines. */
const marker = "//#";

/**
 * The functions that a split program needs. A program that starts from a cache contains only the modules that the
 * same command used before. `module.readPart` returns the text of a module that such a program lacks, and
 * `module.onUse` is called with the name of each module that is used.
 */
export const splitProgramHelpers: string = [
  "const $module = (name, define) => {",
  "  const load = __commonJS(define);",
  "  if (module.onUse === undefined) return load;",
  "  let isUsed = false;",
  "  return () => {",
  "    if (!isUsed) { isUsed = true; module.onUse(name); }",
  "    return load();",
  "  };",
  "};",
  // The text is compiled by a direct call of eval, because a module refers to the other modules by their variables.
  "const $absent = (name) => { let load; return () => (load ??= eval(module.readPart(name)))(); };",
].join("\n");

const ownModule = /^var (require_\w+) = __commonJS\((\{\n\s+"(?:lazy|vendor):[^"]+"\([\s\S]*?\n\})\);$/gm;

/**
 * Splits a program, which esbuild has bundled with line breaks, into parts: the start, one part for each module, and
 * the end, which runs the program. The parts are minified separately, so that each part can be left out.
 */
export function splitProgram(text: string): string {
  const modules = [...text.matchAll(ownModule)];
  const [first] = modules;
  if (first === undefined)
    throw new Error("The program has no modules that esbuild writes in the known way.");
  const names = new Set(modules.map(([, name]) => name));
  if (names.size !== modules.length) throw new Error("Two modules of the program have the same name.");
  const parts = modules.map(([, name = "", define = ""]) => ({
    name,
    text: `var ${name}=${minify(`$module("${name}",${define})`)}`,
  }));
  const start = { name: "start", text: minify(text.slice(0, first.index)) };
  const end = { name: "end", text: minify(text.slice(first.index).replaceAll(ownModule, "")) };
  const split = [start, ...parts, end].map((part) => `${marker}${part.name}\n${part.text.trim()}\n`).join("");
  const lines = split.split("\n").filter((line) => line.startsWith(marker));
  if (lines.length !== parts.length + 2) throw new Error(`A line of the program begins with ${marker}.`);
  return split;
}

function minify(text: string): string {
  const { code } = transformSync(text, {
    minifySyntax: true,
    minifyWhitespace: true,
    target: "node20",
    legalComments: "none",
  });
  return code;
}
