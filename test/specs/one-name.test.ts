import { cp, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callCli, plainEnv, runProgram, serverScript } from "./programs.ts";

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "one-name-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const runFoundryMcp = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runProgram([process.execPath, serverScript, ...argv], { cwd: folder, env });

describe("foundry-mcp with a command", () => {
  it("is the command line, and its remedies name it", async () => {
    const made = await runFoundryMcp(["init", "--yes"]);
    expect(made.code).toBe(0);
    const { data } = JSON.parse(made.stdout) as { data: { next: readonly string[] } };
    expect(data.next).toEqual(["foundry-mcp specs list", "foundry-mcp tasks next", "foundry-mcp serve"]);
    const { code, stdout } = await runFoundryMcp(["tasks", "next", "no-such-spec"]);
    expect(code).toBe(1);
    const failure = JSON.parse(stdout) as { data: { remediation: string } };
    expect(failure.data.remediation).toContain("foundry-mcp specs find");
    // With the name foundry-cli, the answer is the same except for the name of the program.
    const other = await callCli(["tasks", "next", "no-such-spec"], { cwd: folder });
    expect(other.data["remediation"]).toBe(failure.data.remediation.replaceAll("foundry-mcp", "foundry-cli"));
  });

  it("names npx where npx runs it", async () => {
    const { stdout } = await runFoundryMcp(["specs", "list"], {
      npm_lifecycle_script: "foundry-mcp specs list",
    });
    expect(JSON.parse(stdout)).toMatchObject({
      success: false,
      data: { remedy: { command: "npx foundry-mcp init" } },
    });
  });

  it("shows help and version, and repeats no address in the place of a command", async () => {
    const help = await runFoundryMcp(["--help"]);
    expect([help.code, help.stdout.split("\n")[0]]).toEqual([0, "Usage: foundry-mcp <command> [options]"]);
    expect(help.stdout).toContain("Without a command, foundry-mcp serves MCP over stdio.");
    expect((await runFoundryMcp(["--version"])).code).toBe(0);
    const wrong = await runFoundryMcp(["postgres://ann:secret@db/specs"]);
    expect([wrong.code, wrong.stdout.includes("secret")]).toEqual([2, false]);
  });

  it("says on a terminal what it waits for", async () => {
    // `script` runs the server on a separate pseudo-terminal. Closing the terminal ends the server.
    const command = [process.execPath, serverScript].map((word) => `'${word}'`).join(" ");
    const { stdout } = await runProgram(["script", "-qec", command, "/dev/null"], {
      cwd: folder,
      input: "\u0004",
    });
    expect(stdout).toContain("Serving MCP over stdio, for a client. Ctrl-C ends. Commands: foundry-mcp help");
  });

  it("keeps its usage for options of the server that do not exist", async () => {
    const { code, stdout, stderr } = await runFoundryMcp(["--tols", "all"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^Cannot start: Unknown option '--tols'/);
  });
});

it("the launchers of a checkout that is not built say how to build it", async () => {
  const bin = fileURLToPath(new URL("../../packages/foundry/bin", import.meta.url));
  await cp(bin, join(folder, "bin"), { recursive: true });
  for (const name of ["foundry-mcp", "foundry-cli"]) {
    expect(
      await runProgram([join(folder, "bin", `${name}.cjs`)], { cwd: folder, env: plainEnv(folder) }),
    ).toEqual({
      code: 1,
      stdout: "",
      stderr: `Cannot run ${name}: it is not built yet. Run: npm run build\n`,
    });
  }
});

it("npm links the launchers that are in the repository", async () => {
  const at = (path: string) => new URL(`../../packages/foundry/${path}`, import.meta.url);
  const { bin } = JSON.parse(await readFile(at("package.json"), "utf8")) as { bin: Record<string, string> };
  expect(bin).toEqual({ "foundry-mcp": "bin/foundry-mcp.cjs", "foundry-cli": "bin/foundry-cli.cjs" });
});
