// This story starts a server of twenty lines as any MCP client would start it. A client then checks the server
// against the contract. The story prints real output and checks itself: any deviation ends the story with an error.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { checkEnvelope, type Envelope } from "@foundry-mcp/contract";
import { connect, unwrap } from "@foundry-mcp/toolkit/client";

const server = fileURLToPath(new URL("./server.js", import.meta.url));
const connection = await connect({ command: process.execPath, args: [server], stderr: "ignore" });

step("1. The server offers its tool, and `server` beside it");
const tools = await connection.listTools();
show(tools.map(({ name }) => name));
assert.deepEqual(
  tools.map(({ name }) => name),
  ["tide", "server"],
);

step("2. A success is an envelope");
const success = await connection.callTool<{ metres: number }>("tide", { port: "dover" });
show(success);
assert.deepEqual(checkEnvelope(success), []);
assert.deepEqual(unwrap(success), { metres: 6.7 });

step("3. What does not exist is a failure with a remedy");
const missing = await connection.callTool("tide", { port: "atlantis" });
show(missing);
assertFailure(missing, "NOT_FOUND");

step("4. A wrong call names every fault, and the name that was probably meant");
const wrong = await connection.callTool("tide", { prot: "dover" });
show(wrong);
assertFailure(wrong, "VALIDATION_ERROR");
assert.match(String(wrong.data["remediation"]), /Did you mean port\?/);

step("5. A tool that does not exist is a failure like any other");
const unknown = await connection.callTool("tides");
show(unknown);
assertFailure(unknown, "NOT_FOUND");

step("6. The id of a call travels with it");
const traced = await connection.callTool("tide", { port: "calais" }, { requestId: "story-6" });
show(traced.meta);
assert.equal(traced.meta.request_id, "story-6");

await connection.close();
console.log("\nAll six steps hold.");

function assertFailure(envelope: Envelope, code: string): void {
  assert.deepEqual(checkEnvelope(envelope), []);
  assert.equal(envelope.success, false);
  assert.equal(envelope.data["error_code"], code);
}

function step(title: string): void {
  console.log(`\n${title}`);
}

function show(value: unknown): void {
  console.log(JSON.stringify(value, null, 2).replace(/^/gm, "   "));
}
