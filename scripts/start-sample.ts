import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { toShellCommand } from "@foundry-mcp/toolkit/cli";
import { runCommandLine } from "#built/foundry/cli/run-command-line.js";
import { foundryCli } from "../test/bins.ts";

/**
 * Serves a sample workspace on this machine until the server is stopped. Creates the workspace if it does not exist.
 */
export async function startSample(args: readonly string[], workspace: string): Promise<void> {
  const specs = join(workspace, "specs");
  const place = ["--specs-dir", specs, "--store", "file"];
  if (!existsSync(specs)) {
    mkdirSync(workspace, { recursive: true });
    const init = [foundryCli, "init", "--human", ...place];
    const { status } = spawnSync(process.execPath, init, {
      cwd: workspace,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) process.exit(1);
  }
  // The paths are shown relative to the user's folder, because npm runs this script in the root of the
  // repository.
  const shown = relative(process.env["INIT_CWD"] ?? process.cwd(), specs);
  process.chdir(workspace);
  await runCommandLine({
    argv: ["serve", ...args],
    serve: {
      words: ["npm", "start", "--"],
      flags: { specs_dir: specs, store: "file", tools: "all" },
      page: "offer",
      toHints: (url) => [
        `The sample workspace is ${shown}; it stays as you leave it.`,
        "Without a client, in another terminal:",
        `  ${toCurl(url)}`,
        `  ${toShellCommand(["npx", "foundry-mcp", "tasks", "next", "--specs-dir", shown])}`,
        "Ctrl-C stops the server.",
      ],
    },
  });
}

/**
 * Returns a curl command that calls a tool. If the server requires a token, curl reads the token from the variable of
 * the same name.
 */
function toCurl(url: string): string {
  const token = process.env["FOUNDRY_TOKEN"] ? ` -H "Authorization: Bearer $FOUNDRY_TOKEN"` : "";
  return `curl ${url}/api/tools/spec -d '{"action":"list"}'${token}`;
}
