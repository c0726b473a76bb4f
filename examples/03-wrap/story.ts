// This story calls the same tool of a plain SDK server twice: before the tool is wrapped, and after. The story prints
// real output and checks itself: any deviation ends the story with an error.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { checkEnvelope } from "@foundry-mcp/contract";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const server = fileURLToPath(new URL("./server.js", import.meta.url));
const client = new Client({ name: "story", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [server], stderr: "ignore" }),
);

step("1. Before: a missing argument is a sentence of the SDK, with nothing a program could act on");
const before = await client.callTool({ name: "tide-plain", arguments: {} });
show(before);
assert.equal(before.isError, true);
assert.equal(before.structuredContent, undefined);

step("2. After: the same mistake is an envelope with a code, a place and a remedy");
const after = await client.callTool({ name: "tide", arguments: {} });
show(after.structuredContent);
assert.equal(after.isError, true);
assert.deepEqual(checkEnvelope(after.structuredContent), []);
assert.equal(codeOf(after.structuredContent), "MISSING_REQUIRED");

step("3. After: what does not exist is told as such");
const missing = await client.callTool({ name: "tide", arguments: { port: "atlantis" } });
show(missing.structuredContent);
assert.equal(codeOf(missing.structuredContent), "NOT_FOUND");

step("4. After: a success says the same in both channels");
const success = await client.callTool({ name: "tide", arguments: { port: "dover" } });
show(success);
assert.deepEqual(checkEnvelope(success.structuredContent), []);
const [first] = success.content;
assert.equal(first?.type === "text" && first.text, JSON.stringify(success.structuredContent));

await client.close();
console.log("\nAll four steps hold.");

function codeOf(envelope: unknown): unknown {
  return (envelope as { data: { error_code?: unknown } }).data.error_code;
}

function step(title: string): void {
  console.log(`\n${title}`);
}

function show(value: unknown): void {
  console.log(JSON.stringify(value, null, 2).replace(/^/gm, "   "));
}
