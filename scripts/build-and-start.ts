/** Builds the files that `npm start` needs, shows the progress, and serves the sample workspace. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createBuildProgress } from "./build-progress.ts";
import { isBundleCurrent } from "./is-bundle-current.ts";
import { isPageCurrent } from "./is-page-current.ts";

// The compiled script is in a folder two levels below the root of the repository.
const root = fileURLToPath(new URL("../..", import.meta.url));
const packages = ["contract", "toolkit", "foundry"];
const progress = createBuildProgress(process.stderr, [
  ...packages.map((name) => `packages/${name}`),
  "the programs",
  "the page",
]);

try {
  const output: string[] = [];
  const compiler = spawn(
    process.execPath,
    [
      "node_modules/typescript/bin/tsc",
      "-b",
      "--verbose",
      "--pretty",
      "false",
      ...packages.map((name) => `packages/${name}`),
    ],
    { cwd: root, stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = new Promise<number | null>((resolve) => compiler.once("close", resolve));
  for await (const line of createInterface({ input: compiler.stdout })) {
    const built = /Building project '(packages\/\w+)\//.exec(line)?.[1];
    if (built !== undefined) progress.begin(built);
    else if (/error TS\d+:/.test(line)) output.push(line);
  }
  if ((await ended) !== 0) throw new Error(`Cannot build the packages:\n${output.join("\n")}`);
  if (!isBundleCurrent(root)) {
    progress.begin("the programs");
    const { bundleBins } = await import("./bundle-bins.ts");
    await bundleBins();
  }
  if (!isPageCurrent(root)) {
    progress.begin("the page");
    const { buildPage } = await import("./build-page.ts");
    await buildPage();
  }
  progress.end();
} catch (thrown) {
  progress.end();
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exit(1);
}
const { startSample } = await import("./start-sample.ts");
await startSample(process.argv.slice(2), `${root}.build/sample`);
