// This program serves a workspace over HTTP. It serves the principals that further arguments name, or anyone if there
// are no further arguments. It prints its URL, and ends when its input ends.
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
