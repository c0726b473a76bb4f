import { expect, test } from "vitest";
import { loadPg } from "./database.ts";

const selection = { origin: "FOUNDRY_STORE", value: "postgres://me:***@db/team" };

test("loadPg returns the driver of the package", async () => {
  const driver = { Pool: class {} };
  expect(await loadPg(selection, async () => ({ default: driver }))).toBe(driver);
  expect((await loadPg(selection)).Pool).toBeTypeOf("function");
});

test.each(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"])(
  "loadPg names what selected PostgreSQL, and the ways out, where the driver is missing (%s)",
  async (code) => {
    const load = async () => {
      throw Object.assign(new Error("Cannot find package 'pg' imported from /home/me/app.js"), { code });
    };
    const thrown = await loadPg(selection, load).catch((err: unknown) => err);
    expect(thrown).toMatchObject({
      code: "DEPENDENCY_UNAVAILABLE",
      message:
        'Cannot use PostgreSQL, which FOUNDRY_STORE=postgres://me:***@db/team selects: the package "pg" is not installed',
      options: {
        remediation:
          "To store specs in files, use --store file or FOUNDRY_STORE=file. To use PostgreSQL, install pg beside foundry-mcp: npm install pg; with npx: npx -p foundry-mcp -p pg foundry-mcp.",
        details: {
          dependency: "pg",
          selected_by: "FOUNDRY_STORE=postgres://me:***@db/team",
        },
      },
    });
  },
);

test("loadPg passes on other errors", async () => {
  const broken = new SyntaxError("Unexpected token");
  await expect(
    loadPg(selection, async () => {
      throw broken;
    }),
  ).rejects.toBe(broken);
});
