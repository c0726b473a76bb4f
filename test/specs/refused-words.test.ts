import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refusals, refusedWords } from "#built/foundry/cli/refused-words.js";
import { replaceRenamedCommand } from "#built/foundry/cli/renamed-commands.js";
import { runCli } from "./programs.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "refused-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("calls of the Python server that are refused have the same reason as commands", async () => {
  const { code, stdout } = await runCli(["research", "chat", "hi"], { cwd: folder });
  const { remediation } = JSON.parse(stdout).data;
  expect([code, remediation]).toEqual([2, refusals["research chat"]]);
  expect(remediation).toMatch(/^Foundry does not consult models/);
});

it.each(Object.entries(refusedWords))("%s is refused with what to do instead", async (words, reason) => {
  const { code, stdout } = await runCli(replaceRenamedCommand([...words.split(" "), "x"]), { cwd: folder });
  const { remediation } = JSON.parse(stdout).data;
  expect([code, remediation.slice(0, reason.length)]).toEqual([2, reason]);
});
