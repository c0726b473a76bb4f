import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { envelopeOf, runFoundryCli } from "./run-check-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "incomplete-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/dist/index.js");
const check = async (...options: readonly string[]) =>
  envelopeOf(
    await runFoundryCli(
      ["contract", "check", "--profile", "mcp", ...options, "--", process.execPath, server],
      { cwd: folder, env: { MEMORY_FILE_PATH: join(folder, "memory.json") } },
    ),
  );

it("names the file of calls that can be edited", async () => {
  const edit =
    'Edit the calls in "calls.toml" until they reach what is missing, and pass the file with --calls.';
  const write =
    "Write the calls that are missing to a file with --write-calls calls.toml, edit it, and pass it with --calls calls.toml.";
  expect((await check()).data).toMatchObject({ error_code: "CHECK_INCOMPLETE", remediation: write });
  const written = await check("--write-calls", "calls.toml");
  expect(written.data).toMatchObject({ error_code: "CHECK_INCOMPLETE", remediation: edit });
});
