/**
 * Bundles the programs of packages/foundry into its dist/bin, so that a command starts with a few files instead
 * of hundreds. Run with `npm run build`.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { evaluateOnUse, lazyModuleHelpers } from "./evaluate-on-use.ts";
import { toNotices, toPackageFolders, toPackages } from "./publish/third-party.ts";
import { splitProgram, splitProgramHelpers } from "./split-program.ts";

// The compiled script is one folder deeper in the repository than its source.
const root = fileURLToPath(new URL(import.meta.url.includes("/.build/") ? "../../" : "../", import.meta.url));
const foundry = join(root, "packages/foundry");

/** Excludes zod's messages in languages other than English, which take 250 kB. */
const onlyEnglish: Plugin = {
  name: "only-english",
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

/**
 * Large modules that few commands load. Each of these modules becomes a separate file, which the server also
 * uses. All other modules are part of the program file and are evaluated on demand.
 */
const separateModules = [
  "check/run-check.js",
  "check/validate-text.js",
  "gateway/status/read-status.js",
  "app/run-gateway.js",
  "app/run-page.js",
  "app/serve-workspace.js",
  "app/token-grants.js",
  "app/open-postgres.js",
  "research/tool/research.js",
];

/** The entry points of the package. The published package has only their bundled form. */
const entryPoints = ["index.js", "check.js"];

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

/**
 * Replaces `performance.now`, because loading the global `performance` takes time, and a command needs only a clock.
 */
const clock =
  "const millisecondsNow = () => { const [s, ns] = process.hrtime(); return s * 1e3 + ns / 1e6; };";

const notices = "THIRD-PARTY.txt";

const common = {
  absWorkingDir: foundry,
  bundle: true,
  platform: "node",
  target: "node20",
  // Names are preserved for logs and stack traces.
  minifySyntax: true,
  minifyWhitespace: true,
  // Tests validate answers against their output schemas, but the bundled programs do not.
  define: { "process.env.NODE_ENV": '"production"' },
  legalComments: "none",
  metafile: true,
  // Optional peer dependencies are not bundled.
  external: ["pg", "pdfjs-dist"],
  logLevel: "warning",
} as const satisfies BuildOptions;

/** Bundles the programs into a folder. Returns the packages whose code each file contains. */
export async function bundleBins(
  out = join(foundry, "dist/bin"),
): Promise<ReadonlyMap<string, readonly string[]>> {
  const at = (name: string) => join(out, name);

  // All commands are bundled into one CommonJS file, and the server over stdio into another, because Node loads such
  // a file in half the time that it needs for the same code in ES modules.
  const commands = await buildProgram("command-line.cjs", [
    'import { runCommandLine } from "./dist/cli/run-command-line.js";',
    `const toolOf = ${JSON.stringify(await listToolsOfCommands())};`,
    "runCommandLine({ toolOf });",
  ]);
  const server = await buildProgram("server.cjs", [
    'import { runServer } from "./dist/cli/run-server.js";',
    "runServer();",
  ]);
  const unused = separateModules.find(
    (path) => !commands.text.includes(`importSibling("./${basename(path)}")`),
  );
  if (unused !== undefined) throw new Error(`${unused} is loaded nowhere: it must not be a separate module.`);

  // A separate, small program completes the ids of specs and tasks, because a shell waits for this program at
  // every completion.
  const ids = await build({
    ...common,
    stdin: {
      contents: [
        'import { completeIds } from "./dist/cli/complete-ids.js";',
        `const commands = ${JSON.stringify(await listIdCommands())};`,
        'import { writeSync } from "node:fs";',
        "const write = (text) => void writeSync(1, text);",
        "export const run = (argv) => completeIds(argv, commands, { env: process.env, cwd: process.cwd(), write });",
      ].join("\n"),
      resolveDir: foundry,
    },
    outfile: at("complete-ids.cjs"),
    format: "cjs",
    plugins: [onlyEnglish, evaluateOnUse(join(root, "packages"))],
    banner: { js: `${clock}\n${lazyModuleHelpers}\n${splitProgramHelpers}` },
    define: { ...common.define, "performance.now": "millisecondsNow" },
    minifyWhitespace: false,
    write: false,
  });
  const idProgram = splitProgram(ids.outputFiles[0]?.text ?? "");
  const idHash = createHash("sha256").update(idProgram).digest("hex");

  const shared = await build({
    ...common,
    entryPoints: [...entryPoints, ...separateModules, ...threads].map((path) => join("dist", path)),
    entryNames: "[name]",
    chunkNames: "shared-[hash]",
    outdir: out,
    format: "esm",
    splitting: true,
    plugins: [onlyEnglish],
    // CommonJS packages load Node's modules with require.
    banner: {
      js: 'import { createRequire as createRequireOfBin } from "node:module"; const require = createRequireOfBin(import.meta.url);',
    },
  });
  for (const { name, text } of [commands, server]) writeFileSync(at(name), text);
  writeFileSync(at("complete-ids.cjs"), idProgram);

  const run = "runCommandLine();";
  const starters = await Promise.all(
    [
      { name: "foundry-cli", lines: [run] },
      {
        name: "foundry-mcp",
        lines: [
          'import { isCommandLine } from "./dist/cli/is-command-line.js";',
          `if (isCommandLine(process.argv.slice(2))) ${run}`,
          "else runServer();",
        ],
      },
    ].map(({ name, lines }) =>
      build({
        ...common,
        stdin: {
          contents: [
            'import { runCached } from "./dist/cli/run-cached.js";',
            'import { join } from "node:path";',
            "const at = (name) => join(__dirname, name);",
            "const importSibling = (path) => import(path);",
            "const load = (path) => require(path);",
            `const runProgram = () => runCached({ path: at("command-line.cjs"), hash: "${commands.hash}", require: load, importSibling });`,
            `const runServer = () => runCached({ path: at("server.cjs"), hash: "${server.hash}", require: load, importSibling, cacheName: "server_stdio" });`,
            `const runIds = () => runCached({ path: at("complete-ids.cjs"), hash: "${idHash}", require: load, importSibling, cacheName: "ids-" + process.argv.length });`,
            'const runCommandLine = () => process.argv[2] === "__complete" ? runIds().run(process.argv.slice(2)).then((isDone) => isDone || runProgram()) : runProgram();',
            ...lines,
          ].join("\n"),
          resolveDir: foundry,
        },
        outfile: at(`${name}.cjs`),
        format: "cjs",
      }),
    ),
  );

  const metafiles = [shared, commands.built, server.built, ids, ...starters].map(({ metafile }) => metafile);
  writeFileSync(at(notices), toNotices(toPackageFolders(foundry, metafiles)));
  const written = new Map(
    metafiles.flatMap(({ outputs }) =>
      Object.entries(outputs).map(([path, { inputs }]) => [basename(path), toPackages(Object.keys(inputs))]),
    ),
  );
  // Files from an older build are removed, because they must not be packaged.
  for (const name of readdirSync(out)) if (name !== notices && !written.has(name)) rmSync(at(name));
  return written;
}

/** Bundles a program into the text of one CommonJS file whose modules are evaluated on use. */
async function buildProgram(name: string, contents: readonly string[]) {
  const built = await build({
    ...common,
    stdin: { contents: contents.join("\n"), resolveDir: foundry },
    outfile: join(foundry, "dist/bin", name),
    format: "cjs",
    plugins: [onlyEnglish, keepSeparate, evaluateOnUse(join(root, "packages"))],
    banner: {
      js: `const importSibling = module.importSibling ?? ((path) => import(path));\n${clock}\n${lazyModuleHelpers}\n${splitProgramHelpers}`,
    },
    define: { ...common.define, "performance.now": "millisecondsNow" },
    // The parts of the program are minified separately.
    minifyWhitespace: false,
    write: false,
  });
  const text = splitProgram(toCacheable(built.outputFiles[0]?.text ?? ""));
  return { name, built, text, hash: createHash("sha256").update(text).digest("hex") };
}

/**
 * Leaves imports of separate modules to the code that runs the program. Node does not allow code from a cache to
 * import modules.
 */
function toCacheable(text: string): string {
  return text.replaceAll(/\bimport\((?=")/g, "importSibling(");
}

/** Lists the commands whose operands are ids, based on their declarations. */
async function listIdCommands(): Promise<unknown> {
  const { toIdCommands } = await importBuilt("foundry/dist/cli/complete-ids.js");
  return toIdCommands(await openRegistry());
}

/**
 * Lists the tool of each command, so that a command creates only that tool. The built-in tools are left out, because
 * they need all tools.
 */
async function listToolsOfCommands(): Promise<unknown> {
  const [{ listCommandTools }, { createProgramCommands }] = await Promise.all([
    importBuilt("toolkit/dist/cli.js"),
    importBuilt("foundry/dist/cli/program-commands.js"),
  ]);
  const commands = createProgramCommands({ load: loadNothing, flags: {}, cwd: root });
  const tools = await listCommandTools(await openRegistry(), { name: "foundry-mcp", commands });
  return Object.fromEntries(
    Object.entries(tools).filter(([, tool]) => tool !== "server" && tool !== "content"),
  );
}

const importBuilt = (path: string) => import(pathToFileURL(join(root, "packages", path)).href);
const loadNothing = () => Promise.reject(new Error("No call is made."));

/** Opens the registry of the command line to read its declarations. */
async function openRegistry(): Promise<unknown> {
  const [{ createCliRegistry }, { openWorkspace }] = await Promise.all([
    importBuilt("foundry/dist/app/create-cli-registry.js"),
    importBuilt("foundry/dist/app/open-workspace.js"),
  ]);
  const workspace = openWorkspace(loadNothing, root);
  return createCliRegistry({ load: loadNothing, cwd: root, workspace, warnings: () => [] });
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  if (!existsSync(join(foundry, "dist/cli/foundry-mcp.js"))) throw new Error("Run tsc -b first.");
  await bundleBins();
}
