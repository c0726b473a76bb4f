// `npm start`: a server on this machine with a sample workspace, made where there is none.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("../../packages/foundry/dist/cli/foundry-cli.js", import.meta.url));
const workspace = fileURLToPath(new URL("../sample", import.meta.url));

mkdirSync(workspace, { recursive: true });
const made = spawnSync(process.execPath, [cli, "init", "--yes"], { cwd: workspace, encoding: "utf8" });
if (made.status !== 0) {
  process.stderr.write(made.stdout);
  process.exit(1);
}
const server = spawn(process.execPath, [cli, "serve", "--tools", "all", ...process.argv.slice(2)], {
  cwd: workspace,
  stdio: "inherit",
});
// The server hears Ctrl-C itself, and says goodbye; it decides how this ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill(signal));
server.on("exit", (code) => process.exit(code ?? 0));
