// Calls a plain server through the gateway: its sentences become envelopes, its long list gets pages, and the gateway
// starts it again after it has ended. The story prints real output and checks itself: any deviation ends it with an error.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { checkEnvelope } from "@foundry-mcp/contract";
import { connect, pages } from "@foundry-mcp/toolkit/client";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
// In your own client, this is `foundry-cli gateway -- node plain-server.js`.
const gateway = [at("../../../packages/foundry/bin/foundry-cli.cjs"), "gateway", "--log-level", "silent"];
await using connection = await connect({
  command: process.execPath,
  args: [...gateway, "--", process.execPath, at("./plain-server.js")],
  stderr: "ignore",
});

step("1. A sentence becomes an envelope, with a warning that it was built from a text");
const ship = await connection.callTool("read-ship", { id: 7 });
show(ship);
assert.deepEqual(checkEnvelope(ship), []);
assert.deepEqual(ship.data, { text: "ship 7 is moored" });

step("2. A sentence about an error becomes a failure with a code, which is marked as guessed");
const missing = await connection.callTool("read-ship", { id: 500 });
show(missing);
assert.equal(missing.success, false);
assert.equal(missing.data["error_code"], "NOT_FOUND");
assert.deepEqual(missing.data["details"], { upstream: "plain-server.js", guessed: true });

step("3. A list without pages is read page by page");
let count = 0;
const read = (cursor: string | undefined) =>
  connection.callTool("list-ships", { limit: 50, ...(cursor === undefined ? {} : { cursor }) });
for await (const { data, meta } of pages(read)) {
  const { length } = data["ships"] as unknown[];
  count += length;
  console.log(`  ${length} ships, has_more: ${meta.pagination?.has_more}`);
}
assert.equal(count, 120);

step("4. A server that ends during a call is a failure that says that the work may have been done");
const sunk = await connection.callTool("sink");
show(sunk);
assert.equal(sunk.success, false);
assert.equal(sunk.data["error_code"], "UNAVAILABLE");
assert.deepEqual(sunk.data["details"], { upstream: "plain-server.js", may_have_run: true });

step("5. The next call waits until the gateway has started the server again");
const again = await connection.callTool("read-ship", { id: 8 });
show(again);
assert.deepEqual(again.data, { text: "ship 8 is moored" });

console.log("\nAll five steps hold.");

function step(title: string): void {
  console.log(`\n${title}`);
}

function show(value: unknown): void {
  console.log(JSON.stringify(value, undefined, 2));
}
