import { expect, test } from "vitest";
import { loadPg } from "./database.ts";

test("loadPg returns the driver of the package", async () => {
  const driver = { Pool: class {} };
  expect(await loadPg(async () => ({ default: driver }))).toBe(driver);
  expect((await loadPg()).Pool).toBeTypeOf("function");
});

test.each(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"])(
  "loadPg explains how to install a missing driver (%s)",
  async (code) => {
    const load = async () => {
      throw Object.assign(new Error("Cannot find package 'pg' imported from /home/me/app.js"), { code });
    };
    const thrown = await loadPg(load).catch((err: unknown) => err);
    expect(thrown).toMatchObject({
      code: "DEPENDENCY_UNAVAILABLE",
      message: 'Cannot keep specs in PostgreSQL: the package "pg" is not installed',
      options: { remediation: expect.stringContaining("npm install pg"), details: { dependency: "pg" } },
    });
  },
);

test("loadPg passes on other errors", async () => {
  const broken = new SyntaxError("Unexpected token");
  await expect(
    loadPg(async () => {
      throw broken;
    }),
  ).rejects.toBe(broken);
});
