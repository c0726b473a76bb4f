// Serves a workspace over HTTP: to anyone without further arguments, else to the principals that they name.
// It says its URL, and ends with its input.
import { serveHttp } from "@foundry-mcp/toolkit/http";
import { openServer } from "foundry-mcp";
import { tokenOf } from "./shared-server-tokens.ts";

const [cwd = "", ...principals] = process.argv.slice(2);
const { registry, logger, close } = await openServer({
  cwd,
  settings: { tools: "all", log_level: "silent" },
});
const server = await serveHttp(registry, {
  port: 0,
  logger,
  handleSignals: false,
  graceMs: 0,
  ...(principals.length === 0
    ? {}
    : { tokens: principals.map((principal) => ({ principal, token: tokenOf(principal) })) }),
});
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
process.stdin.resume().once("end", async () => {
  await server.close();
  await close();
});
