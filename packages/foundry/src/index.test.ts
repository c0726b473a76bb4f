import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openServer } from "./index.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "open-server-"));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

describe("openServer", () => {
  it("answers calls with the remedy where there is no workspace", async () => {
    const { registry, close } = await openServer({ cwd, settings: { log_level: "silent" } });
    expect(await registry.call("spec", { action: "list" })).toMatchObject({
      success: false,
      data: { error_code: "NOT_FOUND", remedy: { command: "foundry-cli init" } },
    });
    await close();
  });

  it("opens the tools of a workspace in process, with the version of the package", async () => {
    await mkdir(join(cwd, "specs", "active"), { recursive: true });
    const { registry, close } = await openServer({ cwd, settings: { tools: "spec,task,authoring" } });
    const created = await registry.call("authoring", { action: "spec-create", name: "Tides" });
    expect(created).toMatchObject({ success: true });
    const listed = await registry.call("spec", { action: "list" });
    expect(listed).toMatchObject({ success: true, data: { specs: [{ title: "Tides" }] } });
    const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8");
    expect(registry.options.version).toBe((JSON.parse(manifest) as { version: string }).version);
    expect(registry.definitions.map(({ name }) => name)).not.toContain("journal");
    await close();
  });
});
