import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { configureDriver, mergeSetup } from "./plan-merge-driver.ts";

const folder = mkdtempSync(join(tmpdir(), "merge-driver-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.unstubAllEnvs());
const setup = mergeSetup(folder, join(folder, "specs"));
const unavailable = (reason: string) =>
  expect.objectContaining({
    name: "ContractError",
    code: "UNAVAILABLE",
    message: `Cannot set up the merge driver: ${reason}`,
    options: expect.objectContaining({ remedy: { command: "foundry-cli init --git" } }),
  });

it("names the command to repeat where the folder is in no repository", async () => {
  await expect(configureDriver(folder, setup)).rejects.toThrowError(
    unavailable("git config merge.foundry-spec.name failed"),
  );
});

it("names the command to repeat where git is not installed", async () => {
  vi.stubEnv("PATH", folder);
  await expect(configureDriver(folder, setup)).rejects.toThrowError(unavailable("git is not installed"));
});
