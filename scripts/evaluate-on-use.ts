import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Plugin, transformSync } from "esbuild";

/**
 * Evaluates a module of this project when one of its exports is first used instead of when it is imported
 * ("inline requires"). A command uses only a small part of the program, so this saves a quarter of the time
 * of a short command.
 */
export const evaluateOnUse = (packages: string): Plugin => ({
  name: "evaluate-on-use",
  setup({ onLoad, onResolve, resolve }) {
    // The modules get a separate namespace, because package.json declares their files as ES modules.
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

/**
 * Matches the path of a module relative to the root of the project, so that the bundle contains no absolute path.
 */
const ownModule = /(?<=[/\\])packages[/\\][a-z]+[/\\]dist[/\\].*\.js$/;

/**
 * Returns a module `zod` whose object `z` has only the few members that the project uses. The build fails if
 * a used member does not exist.
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
    // zod must not compile parsers, because generating and compiling a parser takes longer than parsing a
    // single value without it. For the server over stdio, which parses many values, this is a trade: it starts 20 ms
    // earlier, and each call takes 25 µs longer. zod reads this setting when a schema is created, so that it cannot
    // change after the start.
    "config({ jitless: true });",
    `export const z = { ${members.map((name) => `${name}: _${name}`).join(", ")} };`,
  ].join("\n");
}

/** The helpers that lazy modules call. The bundle contains the helpers once, at its start. */
export const lazyModuleHelpers: string = [
  "var __toCommonJS = (names) => Object.defineProperty(names, '__esModule', { value: true });",
  "var __export = (names, all) => {",
  "  for (var name in all) Object.defineProperty(names, name, { get: all[name], enumerable: true });",
  "};",
  "var __toESM = (mod) => mod.__esModule ? mod : Object.assign(Object.create(mod), { default: mod });",
].join("\n");

const importLine = /^var (\w+) = ((?:__toESM\()?require\("[^"]+"\)\)?);$/gm;

/**
 * Compiles a module to CommonJS, and moves each of its imports to the first use. The patterns match the exports and
 * imports as esbuild writes them. If the patterns do not match, the build fails, because otherwise everything would
 * be loaded at the start.
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
    // Matches the name only if it is not part of a longer name and not a property. A name after the three
    // dots of a spread is matched too.
    const use = new RegExp(`(?<![\\w$])(?<!(?<!\\.\\.)\\.)${name}(?![\\w$])`, "g");
    const rest = lazy.replace(line, "");
    if (rest.search(use) < 0)
      throw new Error(`${path} imports ${load} for its side effects: that cannot wait.`);
    // The generated names are short, because a bundle uses them thousands of times.
    const loader = `var $${index}; function $${index}_() { return $${index} ??= ${load}; }\n`;
    lazy = rest.replaceAll(use, () => `($${index}_())`) + loader;
  }
  if (/^\S.*\brequire\("/m.test(lazy.replaceAll(/^var \$\d+; function .*$/gm, "")))
    throw new Error(`${path} has imports that esbuild writes in another way.`);
  return lazy;
}
