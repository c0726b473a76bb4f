import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../source-files.ts";
import { suites } from "./suites.ts";

it("passes every scored scenario of the official suites", async () => {
  const script = join(root, ".build/test/conformance/run-conformance.js");
  const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 500_000 });
  const [, , ...rows] = stdout.trimEnd().split("\n");
  const cells = rows.map((row) => row.split("|").map((cell) => cell.trim()));
  expect(cells.map(([, title, scenarios, passed, failed]) => [title, scenarios, passed, failed])).toEqual(
    suites.map(({ title, scored }) => [title, String(scored.scenarios), String(scored.passed), "0"]),
  );
});
