import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Plugin, transformSync } from "esbuild";

/**
 * Evaluates the modules of this project at the first use of one of their exports instead of at their import
 * ("inline requires"): a command uses a small part of the program. It saves a quarter of the time of a short command.
 */
export const evaluateOnUse = (packages: string): Plugin => ({
  name: "evaluate-on-use",
  setup({ onLoad, onResolve, resolve }) {
    // In a namespace of their own, because package.json declares the files as ES modules.
    onResolve({ filter: /^[.@]/ }, async ({ path, resolveDir, pluginData }) => {
      if (pluginData === "asked") return undefined;
      const found = await resolve(path, { kind: "import-statement", resolveDir, pluginData: "asked" });
      const [own] = ownModule.exec(found.path) ?? [];
      return own === undefined ? undefined : { path: own, namespace: "lazy", pluginData: found.path };
    });
    onLoad({ filter: /./, namespace: "lazy" }, ({ path, pluginData }) => ({
      contents: toLazyModule(readFileSync(pluginData as string, "utf8"), path),
      resolveDir: dirname(pluginData as string),
    }));
    onResolve({ filter: /^zod$/ }, ({ kind, resolveDir }) =>
      kind === "require-call" ? { path: "zod", namespace: "part", pluginData: resolveDir } : undefined,
    );
    onLoad({ filter: /^zod$/, namespace: "part" }, ({ pluginData }) => ({
      contents: partOfZod(packages),
      resolveDir: pluginData as string,
    }));
  },
});

/** A path from the root of the project: the bundle contains no absolute path. */
const ownModule = /(?<=[/\\])packages[/\\][a-z]+[/\\]dist[/\\].*\.js$/;

/**
 * The module `zod` with only the members of `z` that the project uses, out of hundreds. The build fails if one of
 * them does not exist.
 */
function partOfZod(packages: string): string {
  const names = new Set<string>();
  for (const name of ["contract", "toolkit", "foundry"]) {
    const folder = join(packages, name, "dist");
    for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!path.endsWith(".js") || path.startsWith("bin")) continue;
      const text = readFileSync(join(folder, path), "utf8");
      if (!/ from "zod";/.test(text)) continue;
      for (const [, member = ""] of text.matchAll(/\bz\.(\w+)/g)) names.add(member);
    }
  }
  const members = [...names].toSorted();
  return [
    `import { config, ${members.map((name) => `${name} as _${name}`).join(", ")} } from "zod";`,
    // Generating and compiling a parser takes longer than parsing once without one.
    "config({ jitless: true });",
    `export const z = { ${members.map((name) => `${name}: _${name}`).join(", ")} };`,
  ].join("\n");
}

/** The helpers that lazy modules call; they stand once at the head of the bundle. */
export const lazyModuleHelpers: string = [
  "var __toCommonJS = (names) => Object.defineProperty(names, '__esModule', { value: true });",
  "var __export = (names, all) => {",
  "  for (var name in all) Object.defineProperty(names, name, { get: all[name], enumerable: true });",
  "};",
  "var __toESM = (mod) => mod.__esModule ? mod : Object.assign(Object.create(mod), { default: mod });",
].join("\n");

const importLine = /^var (\w+) = ((?:__toESM\()?require\("[^"]+"\)\)?);$/gm;

/**
 * Compiles a module to CommonJS and moves every import of it to its first use. The patterns know how esbuild writes
 * exports and imports: where they do not match, the build fails instead of loading everything at the start.
 */
export function toLazyModule(text: string, path: string): string {
  const { code } = transformSync(text, { format: "cjs", target: "node20" });
  const start = code.search(/^var \w+_exports = \{\};$/m);
  if (start < 0) {
    if (/^export /m.test(text)) throw new Error(`${path} has exports that esbuild writes in another way.`);
    // A module without exports is imported for its side effects.
    return text;
  }
  let lazy = code.slice(start);
  for (const [index, [line, name = "", load = ""]] of [...lazy.matchAll(importLine)].entries()) {
    // Neither a part of a longer name nor a property, but after the dots of a spread it is a use.
    const use = new RegExp(`(?<![\\w$])(?<!(?<!\\.\\.)\\.)${name}(?![\\w$])`, "g");
    const rest = lazy.replace(line, "");
    if (rest.search(use) < 0)
      throw new Error(`${path} imports ${load} for its side effects: that cannot wait.`);
    // Short names: there are thousands of uses.
    const loader = `var $${index}; function $${index}_() { return $${index} ??= ${load}; }\n`;
    lazy = rest.replaceAll(use, () => `($${index}_())`) + loader;
  }
  if (/^\S.*\brequire\("/m.test(lazy.replaceAll(/^var \$\d+; function .*$/gm, "")))
    throw new Error(`${path} has imports that esbuild writes in another way.`);
  return lazy;
}
