/**
 * Builds the page that the server serves: packages/foundry/src/page/browser becomes packages/foundry/dist/page/site. Run
 * with `npm run build`, after tsc.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "vite";
import { toNotices } from "./publish/third-party.ts";

// The compiled script is one folder deeper in the repository than its source.
const root = fileURLToPath(new URL(import.meta.url.includes("/.build/") ? "../../" : "../", import.meta.url));

/** The folder of the sources, and the folder of the built files. */
export const pageSource = join(root, "packages/foundry/src/page/browser");
export const pageOutput = join(root, "packages/foundry/dist/page/site");
const notices = "THIRD-PARTY.txt";

/** Builds the page into a folder. */
export async function buildPage(outDir = pageOutput): Promise<void> {
  const packages = new Set<string>();
  await build({
    configFile: false,
    root: pageSource,
    // The page may be served below another path, so that its addresses are relative.
    base: "./",
    logLevel: "warn",
    publicDir: false,
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    plugins: [onlyEnglish, withoutEval, collectPackages(packages)],
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2022",
      // An inlined asset would be a data address, which the Content-Security-Policy allows for images only.
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      cssCodeSplit: false,
      // The contract with its schemas is loaded only by the view that checks answers.
      chunkSizeWarningLimit: 1_000,
    },
  });
  // This is the last file that the build writes, so that its age tells whether the page is current.
  writeFileSync(join(outDir, notices), toNotices([...packages].toSorted()));
}

/** Excludes zod's messages in languages other than English, which take 250 kB. */
const onlyEnglish: Plugin = {
  name: "only-english",
  load(id) {
    return /zod\/v4\/locales\/index\.js$/.test(id) ? 'export { default as en } from "./en.js";' : null;
  },
};

/**
 * Keeps zod from compiling schemas to code. The Content-Security-Policy forbids that, and the browser would report the
 * attempt. The contract creates its schemas when it is loaded, so that zod must be told in its own module.
 */
const withoutEval: Plugin = {
  name: "without-eval",
  transform(code, id) {
    if (!/zod\/v4\/core\/core\.js$/.test(id)) return null;
    return { code: `${code}\nglobalConfig.jitless = true;\n`, map: null, moduleSideEffects: true };
  },
};

/** Collects the folders of the packages whose code the page contains. */
function collectPackages(found: Set<string>): Plugin {
  return {
    name: "collect-packages",
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== "chunk") continue;
        for (const id of output.moduleIds) {
          const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replace(/^\0/, "")) ?? [];
          if (folder !== undefined) found.add(folder);
        }
      }
    },
  };
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) await buildPage();
