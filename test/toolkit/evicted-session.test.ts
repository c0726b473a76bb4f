import { createRegistry } from "@foundry-mcp/toolkit";
import { connect } from "@foundry-mcp/toolkit/client";
import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectSdk } from "./sdk-clients.ts";
import { silentLogger } from "./silent-logger.ts";

let server: RunningHttpServer;
beforeEach(async () => {
  server = await serveHttp(createRegistry({ name: "evicting", version: "1.0.0" }), {
    port: 0,
    logger: silentLogger,
    handleSignals: false,
    sessions: { sessions: 1 },
  });
});
afterEach(() => server.close());

const place = () => ({ url: `${server.url}/mcp` });
const tools = { name: "server", arguments: { action: "tools" } };

/** Returns the status of a failed request. The SDKs have different names for it. */
function statusOf(error: unknown): unknown {
  const { code, status, data } = error as { code?: unknown; status?: unknown; data?: { status?: unknown } };
  return [status, data?.status, code].find((value) => typeof value === "number");
}

describe.each(["SDK 1", "SDK 2 legacy"] as const)("a client of %s whose session gave way", (sdk) => {
  it("gets 404 for its next call, and connects again", async () => {
    const first = await connectSdk(sdk, place());
    const second = await connectSdk(sdk, place());
    const error: unknown = await first.callTool(tools).catch((thrown: unknown) => thrown);
    expect(statusOf(error)).toBe(404);
    expect((await second.callTool(tools)).isError ?? false).toBe(false);
    const again = await connectSdk(sdk, place());
    expect((await again.callTool(tools)).isError ?? false).toBe(false);
    for (const client of [first, second, again]) await client.close();
  });
});

it("the toolkit's own client is told that it has to connect again", async () => {
  const connection = await connect(place().url, { protocol: "legacy" });
  const other = await connectSdk("SDK 1", place());
  expect(await connection.callTool("server", { action: "tools" })).toMatchObject({
    success: false,
    error: "The server no longer knows this connection",
    data: { error_code: "UNAVAILABLE" },
  });
  await connection.close();
  await other.close();
});
