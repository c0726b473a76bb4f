import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspaceFiles } from "@foundry-mcp/toolkit/files";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fixtureEntry, openTestGateway, type TestGateway } from "../testing/open-test-gateway.ts";
import { ApprovedTools } from "./approved-tools.ts";

let folder: string;
let gateway: TestGateway | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "foundry-drift-"));
});
afterEach(async () => {
  await gateway?.close();
  rmSync(folder, { recursive: true });
});
const toFile = () => ({
  path: join(folder, "approved.json"),
  files: createWorkspaceFiles({ root: folder, privateFolder: ".", isPersonal: true }),
});

/** Approves the tools of two servers, and then opens a gateway before servers with the same names. */
async function openAfterApproval(drift: string, way = "changed-definition"): Promise<TestGateway> {
  const before = await openTestGateway({ one: fixtureEntry("good"), two: fixtureEntry("good") });
  await ApprovedTools.save(toFile(), before.tools);
  await before.close();
  gateway = await openTestGateway(
    { one: fixtureEntry(way), two: fixtureEntry("good") },
    { drift },
    { approved: await ApprovedTools.open(toFile()) },
  );
  return gateway;
}

describe("a tool whose definition is not the approved one", () => {
  it("is served with a warning", async () => {
    const { status, call } = await openAfterApproval("warn");
    expect(status.warnings).toEqual([
      "one__call: its definition has changed since it was approved",
      "one__extra: its definition is not approved",
    ]);
    const { success, meta } = await call("one__call");
    expect([success, meta.warnings]).toEqual([
      true,
      expect.arrayContaining([
        "The definition of one__call has changed since it was approved; see gateway approve",
      ]),
    ]);
    expect((await call("two__call")).meta.warnings ?? []).not.toEqual(
      expect.arrayContaining([expect.stringContaining("approved")]),
    );
  });

  it("is withheld: neither listed nor called", async () => {
    const { registry, call, status } = await openAfterApproval("withhold");
    expect(registry.definitions.map(({ name }) => name)).toEqual([
      "content",
      "one__change",
      "two__call",
      "two__change",
    ]);
    for (const [name, reason] of [
      ["one__call", "its definition has changed since it was approved"],
      ["one__extra", "its definition is not approved"],
    ] as const)
      expect(await call(name)).toMatchObject({
        success: false,
        error: `Cannot call ${name}: ${reason}`,
        data: { error_code: "FORBIDDEN", details: { upstream: "one" } },
      });
    expect([status.upstreams[0]?.chars_before, await call("one__change")]).toEqual([
      0,
      expect.objectContaining({ success: true }),
    ]);
  });

  it("is served without comparison by default", async () => {
    const { status, call } = await openAfterApproval("off");
    expect([status.warnings, (await call("one__call")).success]).toEqual([[], true]);
  });
});

describe("the file of approved tools", () => {
  it("compares definitions without regard to the order of keys", async () => {
    const { status } = await openAfterApproval("warn", "other-key-order");
    expect(status.warnings).toEqual([]);
  });

  it("is refused if it is damaged, because nothing must be approved by accident", async () => {
    await openAfterApproval("warn");
    const { path } = toFile();
    writeFileSync(path, readFileSync(path).subarray(0, 50));
    await expect(ApprovedTools.open(toFile())).rejects.toMatchObject({ code: "INVALID_FORMAT" });
  });
});
