// Runs the official conformance suites against server-everything alone and behind a gateway, and prints the scenarios in
// which fewer checks pass behind the gateway: node .build/test/gateway/compare-conformance.js
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { foundryCli } from "../bins.ts";
import { startNode, stop } from "../conformance/processes.ts";
import { readChecks } from "../conformance/read-checks.ts";
import { runSuite } from "../conformance/run-suite.ts";
import { suites } from "../conformance/suites.ts";
import { findFreePort } from "../postgres/free-port.ts";

/** The result of one suite, as the proof compares it. */
export interface Comparison {
  readonly suite: string;
  readonly alone: { readonly scenarios: number; readonly passed: number };
  readonly behind: { readonly scenarios: number; readonly passed: number };
  /** The scenarios in which fewer checks pass behind the gateway. */
  readonly lost: readonly string[];
}

const require = createRequire(import.meta.url);
const everything = join(
  dirname(require.resolve("@modelcontextprotocol/server-everything/package.json")),
  "dist/index.js",
);
const folder = mkdtempSync(join(tmpdir(), "gateway-conformance-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Starts a program, and waits until it says on stderr that it listens. */
async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  said: RegExp,
): Promise<ChildProcess> {
  const child = startNode(args, env);
  child.stdout?.resume();
  const lines = createInterface({ input: child.stderr as NonNullable<typeof child.stderr> });
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => said.test(line) && resolve());
    lines.once("close", () => reject(new Error("The server ended before it listened")));
  });
  return child;
}

async function check(index: number, name: string, port: number, child: ChildProcess) {
  const place = join(folder, `${index}-${name}`);
  const suite = suites[index] as (typeof suites)[number];
  await runSuite(suite, `http://127.0.0.1:${port}/mcp`, place);
  await stop(child);
  return readChecks(place);
}

const count = (scenarios: readonly { readonly passed: number }[]) => ({
  scenarios: scenarios.length,
  passed: scenarios.reduce((sum, { passed }) => sum + passed, 0),
});

const comparisons: Comparison[] = [];
for (const [index, { title }] of suites.entries()) {
  const port = await findFreePort();
  const listening = /listening|serves MCP at/i;
  const plain = await start([everything, "streamableHttp"], { PORT: String(port) }, listening);
  const alone = await check(index, "alone", port, plain);
  const args = [foundryCli, "gateway", "--port", String(port), "--", process.execPath, everything];
  const home = { HOME: folder, XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder };
  const behind = await check(index, "behind", port, await start(args, home, listening));
  const passed = new Map(behind.map((scenario) => [scenario.name, scenario.passed]));
  const lost = alone.filter((scenario) => (passed.get(scenario.name) ?? 0) < scenario.passed);
  comparisons.push({
    suite: title,
    alone: count(alone),
    behind: count(behind),
    lost: lost.map(({ name }) => name).sort(),
  });
}
process.stdout.write(`${JSON.stringify(comparisons, null, 2)}\n`);
process.exit(0);
