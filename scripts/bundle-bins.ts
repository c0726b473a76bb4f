/**
 * Bundles the programs of packages/foundry into its dist/bin, so that a command starts with a few files instead
 * of hundreds. Run with `npm run build`.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { evaluateOnUse, lazyModuleHelpers } from "./evaluate-on-use.ts";

// A compiled script lies one folder deeper than its source.
const root = fileURLToPath(new URL(import.meta.url.includes("/.build/") ? "../../" : "../", import.meta.url));
const foundry = join(root, "packages/foundry");

/** Leaves out zod's messages in other languages than English, 250 kB. */
const onlyEnglish: Plugin = {
  name: "only-english",
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

/**
 * Large modules that few commands load: they become files of their own, which the server shares. Other modules that
 * are loaded on demand are part of the program and evaluated on demand.
 */
const separateModules = [
  "check/run-check.js",
  "check/validate-text.js",
  "app/serve-workspace.js",
  "app/token-grants.js",
  "app/open-postgres.js",
  "research/tool/research.js",
];

/** The entry points of worker threads. */
const threads = ["research/documents/digest-worker.js"];

const keepSeparate: Plugin = {
  name: "keep-separate",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const isSeparate = separateModules.some(
        (each) => resolve(resolveDir, path) === join(foundry, "dist", each),
      );
      return kind === "dynamic-import" && isSeparate
        ? { path: `./${basename(path)}`, external: true }
        : undefined;
    });
  },
};

/** Replaces `performance.now`: loading `performance` takes a while, and a command needs only the clock. */
const clock =
  "const millisecondsNow = () => { const [s, ns] = process.hrtime(); return s * 1e3 + ns / 1e6; };";

const notices = "THIRD-PARTY.txt";

const common = {
  absWorkingDir: foundry,
  bundle: true,
  platform: "node",
  target: "node20",
  // Names are kept for logs and stack traces.
  minifySyntax: true,
  minifyWhitespace: true,
  // Tests check answers against their schemas; these programs do not.
  define: { "process.env.NODE_ENV": '"production"' },
  legalComments: "none",
  metafile: true,
  // gpt-tokenizer has large tables and is loaded when tokens are counted exactly; the others are optional peers.
  external: ["gpt-tokenizer", "pg", "pdfjs-dist"],
  logLevel: "warning",
} as const satisfies BuildOptions;

/** Bundles the programs into a folder; returns the packages whose code each file contains. */
export async function bundleBins(
  out = join(foundry, "dist/bin"),
): Promise<ReadonlyMap<string, readonly string[]>> {
  const at = (name: string) => join(out, name);

  // One file of CommonJS: Node takes half as long to load it as the same code in ES modules.
  const commands = await build({
    ...common,
    stdin: {
      contents: 'import { runCommandLine } from "./dist/cli/run-command-line.js"; runCommandLine();',
      resolveDir: foundry,
    },
    outfile: at("command-line.cjs"),
    format: "cjs",
    plugins: [onlyEnglish, keepSeparate, evaluateOnUse(join(root, "packages"))],
    banner: {
      js: `const importSibling = module.importSibling ?? ((path) => import(path));\n${clock}\n${lazyModuleHelpers}`,
    },
    define: { ...common.define, "performance.now": "millisecondsNow" },
    write: false,
  });
  const program = toCacheable(commands.outputFiles[0]?.text ?? "");
  const hash = createHash("sha256").update(program).digest("hex");

  const shared = await build({
    ...common,
    entryPoints: ["cli/foundry-mcp.js", ...separateModules, ...threads].map((path) => join("dist", path)),
    entryNames: "[name]",
    chunkNames: "shared-[hash]",
    outdir: out,
    format: "esm",
    splitting: true,
    plugins: [onlyEnglish],
    // CommonJS packages load modules of Node with require.
    banner: {
      js: 'import { createRequire as createRequireOfBin } from "node:module"; const require = createRequireOfBin(import.meta.url);',
    },
  });
  writeFileSync(at("command-line.cjs"), program);

  const run = `runCached({ path, hash: "${hash}", require: (path) => require(path), importSibling });`;
  const starters = await Promise.all(
    [
      { name: "foundry-cli", lines: [run] },
      {
        name: "foundry-mcp",
        lines: [
          'import { isCommandLine } from "./dist/cli/is-command-line.js";',
          `if (isCommandLine(process.argv.slice(2))) ${run}`,
          'else importSibling("./foundry-mcp.js");',
        ],
      },
    ].map(({ name, lines }) =>
      build({
        ...common,
        stdin: {
          contents: [
            'import { runCached } from "./dist/cli/run-cached.js";',
            'import { join } from "node:path";',
            'const path = join(__dirname, "command-line.cjs");',
            "const importSibling = (path) => import(path);",
            ...lines,
          ].join("\n"),
          resolveDir: foundry,
        },
        outfile: at(`${name}.cjs`),
        format: "cjs",
      }),
    ),
  );

  const metafiles = [shared, commands, ...starters].map(({ metafile }) => metafile);
  writeFileSync(at(notices), toNotices(metafiles));
  const written = new Map(
    metafiles.flatMap(({ outputs }) =>
      Object.entries(outputs).map(([path, { inputs }]) => [basename(path), toPackages(Object.keys(inputs))]),
    ),
  );
  // Files of an older build must not be packed.
  for (const name of readdirSync(out)) if (name !== notices && !written.has(name)) rmSync(at(name));
  return written;
}

/** Leaves imports of separate modules to the code that runs the program: Node lets no code from a cache import. */
function toCacheable(text: string): string {
  const cacheable = text.replaceAll(/\bimport\((?=")/g, "importSibling(");
  const unused = separateModules.find((path) => !cacheable.includes(`importSibling("./${basename(path)}")`));
  if (unused !== undefined) throw new Error(`${unused} is loaded nowhere: it must not be a separate module.`);
  return cacheable;
}

function toPackages(paths: readonly string[]): readonly string[] {
  const names = paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

/** The licences of the packages whose code is in the bundles. */
function toNotices(metafiles: readonly Metafile[]): string {
  const folders = new Set<string>();
  for (const { inputs } of metafiles) {
    for (const path of Object.keys(inputs)) {
      const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
      if (folder !== undefined) folders.add(resolve(foundry, folder));
    }
  }
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      name: string;
      version: string;
      license?: string;
    };
    const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
    const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
    return `${name} ${version} (${license ?? "no licence named"})\n${text}`;
  });
  return `The programs in this folder contain code of these packages.\n\n${texts.toSorted().join("\n---\n\n")}`;
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  if (!existsSync(join(foundry, "dist/cli/foundry-mcp.js"))) throw new Error("Run tsc -b first.");
  await bundleBins();
}
