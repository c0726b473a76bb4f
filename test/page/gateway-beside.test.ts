import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCli, type HttpServer, openHttpServer } from "../specs/programs.ts";
import { createWorkspace, type TestWorkspace } from "../specs/workspace.ts";
import { createPageClient, type PageClient } from "./page-client.ts";

const upstream = fileURLToPath(
  new URL("../../packages/foundry/src/gateway/fixtures/upstream.mjs", import.meta.url),
);
let place: TestWorkspace;
let server: HttpServer;
let page: PageClient;
beforeAll(async () => {
  place = await createWorkspace();
  const config = { mcpServers: { harbour: { command: process.execPath, args: [upstream] } } };
  const file = join(place.folder, "servers.json");
  await writeFile(file, JSON.stringify(config));
  server = await openHttpServer(place.folder, ["--tools", "core", "--gateway", file]);
  page = createPageClient(server.url.replace(/\/mcp$/, ""));
});
afterAll(async () => {
  await server.close();
  await place.remove();
});

describe("serve --gateway", () => {
  it("serves the tools of the gateway at addresses of their own, beside those of the specs", async () => {
    const [specs, gateway] = await Promise.all([connect(server.url), connect(`${page.url}/gateway/mcp`)]);
    try {
      const namesOf = async (client: typeof specs) => (await client.listTools()).map(({ name }) => name);
      expect(await namesOf(specs)).toEqual(["spec", "task", "lifecycle", "content", "server"]);
      const names = await namesOf(gateway);
      expect(names).toContain("call");
      expect(names).not.toContain("spec");
      const echoed = await gateway.callTool("call", { message: "ahoy" });
      expect([echoed.success, JSON.stringify(echoed.data)]).toEqual([true, expect.stringContaining("ahoy")]);
    } finally {
      await Promise.all([specs.close(), gateway.close()]);
    }
  });

  it("shows its state to the page and to gateway status, and calls of the page count", async () => {
    expect((await page.session()).data).toMatchObject({
      gateway: true,
      gateway_tools: ["content", "call", "change"],
      tools: expect.arrayContaining(["gateway", "spec", "journal"]),
    });
    const callsOf = async () => {
      const { data } = await page.call("gateway", {});
      const [report] = data["upstreams"] as readonly { readonly state: string; readonly calls: number }[];
      return report;
    };
    const before = await callsOf();
    const response = await fetch(`${page.url}/gateway/api/tools/call`, {
      method: "POST",
      body: JSON.stringify({ message: "ahoy" }),
    });
    expect((await response.json()) as object).toMatchObject({ success: true });
    expect(await callsOf()).toMatchObject({ state: "ready", calls: (before?.calls ?? 0) + 1 });
    const status = await callCli(["gateway", "status", "--url", page.url], { cwd: place.folder });
    expect(status.data["upstreams"]).toMatchObject([{ name: "harbour", state: "ready" }]);
  });

  it("is guarded as the rest of the server, and is in its list of routes", async () => {
    const foreign = { origin: "https://evil.example" };
    for (const path of ["/gateway/mcp", "/gateway/api/tools/call"])
      expect((await fetch(`${page.url}${path}`, { method: "POST", headers: foreign })).status).toBe(403);
    const list = (await (await fetch(`${page.url}/`)).json()) as { readonly data: object };
    expect(list.data).toMatchObject({
      gateway_mcp: "POST /gateway/mcp",
      gateway_tools: "POST /gateway/api/tools/{tool}",
    });
  });

  it("does not start with a file that cannot be read", async () => {
    const argv = ["serve", "--port", "0", "--log-level", "silent", "--gateway", "missing.json"];
    const { success, data } = await callCli(argv, { cwd: place.folder });
    expect([success, data["error_code"]]).toEqual([false, "INVALID_PATH"]);
  });
});
