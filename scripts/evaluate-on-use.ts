import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Plugin, transformSync } from "esbuild";

/**
 * Makes the modules of this project evaluate when something of theirs is first used, instead of when they are
 * imported: a command uses a small part of what it could. It is what others call inline requires.
 */
export const evaluateOnUse = (packages: string): Plugin => ({
  name: "evaluate-on-use",
  setup({ onLoad, onResolve, resolve }) {
    // In a namespace of their own, for the package says that its files are ES modules.
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

/** From the root of the project: no path of a machine gets into the bundle. */
const ownModule = /(?<=[/\\])packages[/\\][a-z]+[/\\]dist[/\\].*\.js$/;

/**
 * zod is asked for as one object with hundreds of members, of which a few are used: the bundle gets those. The
 * build fails where one is none of zod's.
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
    // To write a parser and compile it takes longer than to parse once without.
    "config({ jitless: true });",
    `export const z = { ${members.map((name) => `${name}: _${name}`).join(", ")} };`,
  ].join("\n");
}

/** What lazy modules need; stands once at the head of the bundle. */
export const lazyModuleHelpers: string = [
  "var __toCommonJS = (names) => Object.defineProperty(names, '__esModule', { value: true });",
  "var __export = (names, all) => {",
  "  for (var name in all) Object.defineProperty(names, name, { get: all[name], enumerable: true });",
  "};",
  "var __toESM = (mod) => mod.__esModule ? mod : Object.assign(Object.create(mod), { default: mod });",
].join("\n");

const importLine = /^var (\w+) = ((?:__toESM\()?require\("[^"]+"\)\)?);$/gm;

/** The module in CommonJS, every import of it made at its first use. */
function toLazyModule(text: string, path: string): string {
  const { code } = transformSync(text, { format: "cjs", target: "node20" });
  const start = code.search(/^var \w+_exports = \{\};$/m);
  // A module that exports nothing is there for what it does.
  if (start < 0) return text;
  let lazy = code.slice(start);
  for (const [index, [line, name = "", load = ""]] of [...lazy.matchAll(importLine)].entries()) {
    // Neither a part of a longer name nor a property; what is spread is used too.
    const use = new RegExp(`(?<![\\w$])(?<!(?<!\\.\\.)\\.)${name}(?![\\w$])`, "g");
    const rest = lazy.replace(line, "");
    if (rest.search(use) < 0) throw new Error(`${path} imports ${load} for what it does: that cannot wait.`);
    // Short names: there are thousands of uses.
    const loader = `var $${index}; function $${index}_() { return $${index} ??= ${load}; }\n`;
    lazy = rest.replaceAll(use, () => `($${index}_())`) + loader;
  }
  return lazy;
}
