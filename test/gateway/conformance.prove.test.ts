import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../source-files.ts";
import type { Comparison } from "./compare-conformance.ts";

/**
 * What the gateway loses. It does not pass subscriptions on, and it answers a call of an unknown tool with a JSON-RPC
 * error, as the protocol requires. server-everything has none of the tools of the last two scenarios: it answers with
 * a text, which the scenarios take for the answer of the tool.
 */
const lost = [
  "resources-subscribe",
  "resources-unsubscribe",
  "tools-call-error",
  "tools-call-simple-text",
] as const;

it("passes the scenarios of the official suites that its server passes, and more", async () => {
  const script = join(root, ".build/test/gateway/compare-conformance.js");
  const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 800_000 });
  const comparisons = JSON.parse(stdout) as readonly Comparison[];
  expect(comparisons.map(({ suite, lost }) => ({ suite, lost }))).toEqual([
    { suite: "0.1.16 --suite all", lost },
    { suite: "0.2.0-alpha.12 --requirements 2025-11-25", lost },
    { suite: "0.2.0-alpha.12 --requirements 2026-07-28", lost: [] },
  ]);
  for (const { alone, behind } of comparisons) {
    expect(alone.scenarios).toBeGreaterThan(30);
    expect(behind.scenarios).toBe(alone.scenarios);
  }
  const [, , modern] = comparisons;
  expect(modern?.behind.passed).toBeGreaterThan(100);
});
