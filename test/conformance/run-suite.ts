import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { startNode, stop } from "./child.ts";
import type { Suite } from "./suites.ts";

/** A suite takes a few seconds; one that takes this long hangs. */
const longestRunMs = 120_000;

/** Runs a suite against a server; what it found stands in `folder`, what it said is returned. */
export async function runSuite({ package: name, args }: Suite, url: string, folder: string): Promise<string> {
  const home = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const shim = new URL("./glob-sync-shim.js", import.meta.url).href;
  const script = join(home, "dist/index.js");
  const child = startNode(["--import", shim, script, "server", "--url", url, ...args, "-o", folder]);
  const late = setTimeout(() => void stop(child), longestRunMs);
  // Both streams are read to their end: a full pipe would stop the suite.
  const said = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")));
  await once(child, "exit");
  clearTimeout(late);
  return (await said).join("\n");
}
