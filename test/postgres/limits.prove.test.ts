import { connect } from "@foundry-mcp/toolkit/client";
import { expect, it } from "vitest";
import { openHttpServer } from "../specs/programs.ts";
import { createWorkspace } from "../specs/workspace.ts";
import { openDatabaseWorkspace } from "./database-workspace.ts";
import { createTestDatabase, describeConcurrent } from "./test-databases.ts";

/** Returns the answers to 16 calls of one client, which are sent to several servers in turn. */
async function callAll(urls: readonly string[], tool: string): Promise<readonly unknown[]> {
  const connections = await Promise.all(urls.map((url) => connect(url)));
  const codes: unknown[] = [];
  for (let call = 0; call < 16; call++) {
    const { success, data } = (await connections[call % connections.length]?.callTool(tool, {
      action: "list",
    })) ?? { success: false, data: {} };
    codes.push(success ? "allowed" : data["error_code"]);
  }
  await Promise.all(connections.map((each) => each.close()));
  return codes;
}

const tenOfSixteen = [...Array(10).fill("allowed"), ...Array(6).fill("RATE_LIMIT_EXCEEDED")];

describeConcurrent("the setting rate_limit", () => {
  it("is one quota of all servers of a database, and each workspace has its own", async () => {
    const database = await createTestDatabase();
    const workspace = await openDatabaseWorkspace(database.url);
    const other = await openDatabaseWorkspace(database.url, { workspace: "other" });
    const args = ["--tools", "all", "--rate-limit", "10"];
    const servers = await Promise.all([
      openHttpServer(workspace.folder, args),
      openHttpServer(workspace.folder, args),
      openHttpServer(other.folder, args),
    ]);
    const [first, second, third] = servers.map(({ url }) => url) as [string, string, string];
    expect(await callAll([first, second], "spec")).toEqual(tenOfSixteen);
    expect(await callAll([third], "spec")).toEqual(tenOfSixteen);
    await Promise.all(servers.map((server) => server.close()));
    await workspace.close();
    await other.close();
    await database.close();
  });

  it("is counted by a server on files for itself", async () => {
    const workspace = await createWorkspace();
    const server = await openHttpServer(workspace.folder, ["--tools", "all", "--rate-limit", "10"]);
    expect(await callAll([server.url], "spec")).toEqual(tenOfSixteen);
    await server.close();
    await workspace.remove();
  });
});
