import { expect, it } from "vitest";
import { silentLogger } from "../context/logger.ts";
import { serveHttp } from "../http/serve-http.ts";
import { createRegistry } from "../registry/registry.ts";
import { connect } from "./connection.ts";

it("reports a lost session of a restarted server as UNAVAILABLE, not as NOT_FOUND of the tool", async () => {
  const registry = createRegistry({ name: "r", version: "1.0.0" });
  const options = { logger: silentLogger, handleSignals: false };
  const first = await serveHttp(registry, { ...options, port: 0 });
  const connection = await connect(`${first.url}/mcp`, { protocol: "legacy" });
  expect((await connection.callTool("server", { action: "tools" })).success).toBe(true);
  await first.close();
  const second = await serveHttp(registry, { ...options, port: first.port });
  // The first call may still use the socket of the stopped server.
  await connection.callTool("server", { action: "tools" });
  const envelope = await connection.callTool("server", { action: "tools" });
  expect(envelope).toMatchObject({
    success: false,
    error: "The server no longer knows this connection",
    data: { error_code: "UNAVAILABLE" },
  });
  await connection.close();
  await second.close();
});
