import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toServerCommand } from "./server-command.ts";

let installed: string;
beforeAll(() => {
  installed = realpathSync(mkdtempSync(join(tmpdir(), "server-command-")));
  for (const name of ["foundry-mcp.cjs", "foundry-cli.cjs"]) writeFileSync(join(installed, name), "");
});
afterAll(() => rmSync(installed, { recursive: true, force: true }));

describe("the command of the server", () => {
  it("is npx for a program that npx started", () => {
    const script = join(installed, "foundry-mcp.cjs");
    expect(toServerCommand("npx foundry-mcp", script, installed)).toEqual({
      command: "npx",
      args: ["foundry-mcp"],
    });
  });

  it("is the name of the program if the PATH has it", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "on-path-")));
    symlinkSync(join(installed, "foundry-mcp.cjs"), join(folder, "foundry-mcp"));
    const path = ["/none", "relative", folder].join(delimiter);
    expect(toServerCommand("foundry-cli", join(installed, "foundry-cli.cjs"), path)).toEqual({
      command: "foundry-mcp",
      args: [],
    });
    rmSync(folder, { recursive: true });
  });

  it.each(["foundry-mcp.cjs", "foundry-cli.cjs"])(
    "is the file of the server if %s was started by its path",
    (name) => {
      expect(toServerCommand("foundry-cli", join(installed, name), "/none")).toEqual({
        command: "node",
        args: [join(installed, "foundry-mcp.cjs")],
      });
    },
  );

  it("is npx in other programs", () => {
    expect(toServerCommand("foundry-cli", "/project/node_modules/vitest/run.mjs", "")).toEqual({
      command: "npx",
      args: ["foundry-mcp"],
    });
  });
});
