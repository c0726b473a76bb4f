import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { CheckReport } from "foundry-mcp/check";
import { afterAll, describe, expect } from "vitest";
import { foundryCli } from "../bins.ts";
import type { ZooEntry } from "./zoo/zoo-entry.ts";
import { describeZoo } from "./zoo.suite.ts";

const cli = foundryCli;
const server = fileURLToPath(new URL("../../.build/test/check/zoo/serve-stdio.js", import.meta.url));
for (const path of [cli, server]) {
  if (!existsSync(path))
    throw new Error(`Cannot check the zoo: ${path} is missing. Run "npm run build" first.`);
}

const folder = mkdtempSync(join(tmpdir(), "foundry-zoo-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the calls of a server to a file, if the server has calls. */
function toCallsOption({ name, calls }: ZooEntry): readonly string[] {
  if (calls === undefined) return [];
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify(calls));
  return ["--calls", path];
}

/** Checks a server of the zoo in the same way as a person at a shell. */
async function checkOverStdio(entry: ZooEntry): Promise<CheckReport> {
  const waits = entry.name === "hangs" ? ["--call-timeout", "1"] : [];
  const line = [
    "contract",
    "check",
    ...toCallsOption(entry),
    ...waits,
    "--",
    process.execPath,
    server,
    entry.name,
  ];
  const child = spawn(process.execPath, [cli, ...line], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "close");
  const out = await text(child.stdout);
  await ended;
  const envelope = JSON.parse(out) as { readonly success: boolean; readonly data: CheckReport };
  const { verdict } = envelope.data;
  // If a check has no report, its envelope contains the reason.
  if (verdict === undefined) throw new Error(out);
  expect(out.trimEnd().split("\n")).toHaveLength(1);
  expect([child.exitCode, envelope.success]).toEqual(verdict === "passed" ? [0, true] : [1, false]);
  return envelope.data;
}

describe("the zoo, over stdio from the command line", () => {
  describeZoo(checkOverStdio, { withProcess: true });
});
