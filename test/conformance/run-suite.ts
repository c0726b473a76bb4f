import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { startNode, stop } from "./processes.ts";
import type { Suite } from "./suites.ts";

/** The maximum duration of a suite. A suite takes a few seconds, so a suite that takes this long has hung. */
const maxRunMs = 120_000;

/** Runs a suite, which writes its checks to `folder`. Returns the output of the suite. */
export async function runSuite(
  { package: name, args }: Pick<Suite, "package" | "args">,
  url: string,
  folder: string,
): Promise<string> {
  const home = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const shim = new URL("./glob-sync-shim.js", import.meta.url).href;
  const script = join(home, "dist/index.js");
  const child = startNode(["--import", shim, script, "server", "--url", url, ...args, "-o", folder]);
  const timer = setTimeout(() => void stop(child), maxRunMs);
  // Both streams are read completely, because a full pipe would block the suite.
  const output = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")));
  await once(child, "exit");
  clearTimeout(timer);
  return (await output).join("\n");
}
