import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Connection, connect } from "@foundry-mcp/toolkit/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../source-files.ts";
import { makeFolder } from "./packed.ts";

let home: string;
let installed: string;
let program: string;
beforeEach(() => {
  home = makeFolder();
  installed = join(home, "installed");
  program = join(installed, "dist/bin/server.cjs");
  for (const path of ["bin", "dist/bin", "package.json"])
    cpSync(join(root, "packages/foundry", path), join(installed, path), { recursive: true });
  cpSync(join(root, "test/fixtures/specs"), join(home, "specs"), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const folder = () => join(home, ".cache/foundry-mcp");
const readCaches = () => readdirSync(folder()).map((name) => readFileSync(join(folder(), name), "latin1"));

/** Starts the server, calls it, and waits until the server has ended. */
async function withServer(use: (connection: Connection) => Promise<unknown>): Promise<void> {
  const args = [join(installed, "bin/foundry-mcp.cjs")];
  const env = { HOME: home };
  const connection = await connect({
    command: process.execPath,
    args,
    cwd: home,
    env,
    stderr: "ignore",
  });
  try {
    await use(connection);
  } finally {
    await connection.close();
  }
}

/** Makes a call that needs other parts of the program than `callSpec`. */
const callTask = (connection: Connection) =>
  connection.callTool("task", { action: "list", spec_id: "actual-hours-auto-calculation-2026-01-06-001" });

/** Makes calls after which the cache contains all that a success and a failure of the tool `spec` need. */
async function callSpec(connection: Connection): Promise<void> {
  expect(await connection.callTool("spec", { action: "list" })).toMatchObject({ success: true });
  const failure = await connection.callTool("spec", { action: "get", spec_id: "none" });
  expect(failure).toMatchObject({ data: { error_code: "SPEC_NOT_FOUND" } });
}

// Newer versions of Node have a compile cache themselves.
describe.skipIf(Number(process.versions.node.split(".")[0]) > 20)("a server whose program is updated", () => {
  it.each([
    [
      "replaced",
      () => writeFileSync(program, `${readFileSync(program, "latin1")}\n`, "latin1"),
      "the program was updated while it ran and must be restarted",
    ],
    ["removed", () => rmSync(program), "its file cannot be read, perhaps because of an update"],
  ])(
    "refuses a call that needs another part of a file that is %s, and keeps its cache",
    async (_what, update, reason) => {
      // The first run stores the text, and the second run its compiled code.
      await withServer(callSpec);
      await withServer(callSpec);
      const kept = readCaches();
      await withServer(async (connection) => {
        await callSpec(connection);
        update();
        for (let call = 0; call < 2; call++)
          expect(await callTask(connection)).toEqual({
            success: false,
            data: {
              error_code: "UNAVAILABLE",
              error_type: "unavailable",
              remediation: "Restart the program, then try again.",
            },
            error: `Cannot load a part of the program: ${reason}`,
            meta: expect.anything(),
          });
        await callSpec(connection);
      });
      expect(readCaches()).toEqual(kept);
    },
  );

  it("adds a part to its cache if the file is the same", async () => {
    await withServer(callSpec);
    await withServer(callSpec);
    const [before = ""] = readCaches();
    const modules = (text: string) => [...text.matchAll(/^\/\/#(\w+)$/gm)].map(([, name]) => name);
    await withServer(async (connection) => {
      expect(await callTask(connection)).toMatchObject({ success: true });
    });
    const [after = ""] = readCaches();
    expect(modules(after)).toEqual(expect.arrayContaining(modules(before)));
    expect(modules(after).length).toBeGreaterThan(modules(before).length);
  });

  it("continues after a start without a cache, and stores the program that ran", async () => {
    const text = readFileSync(program);
    await withServer(async (connection) => {
      writeFileSync(program, "throw new Error('the other version');");
      await callSpec(connection);
    });
    writeFileSync(program, text);
    await withServer(callSpec);
  });
});
