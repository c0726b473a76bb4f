// This story runs one server at three tiers with envelope-v1. It shows which features each tier has, which features
// each tier lacks, and how missing features are reported. The story prints real output and checks itself: any
// deviation ends the story with an error.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { fromEnvelopeV1, type Tier } from "@foundry-mcp/contract";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

step("1. A success at the pro tier: every field of envelope-v1, always");
const scan = await call("pro", "security_scan", { path: "app.py" }, "8b3e5f6c0a2f4ed4a3fb9e0b2f8f8d3a");
show(scan);
assert.deepEqual(timeless(scan), {
  tier: "pro",
  tool_version: "3.2.8",
  tool_id: "security_scan",
  request_id: "8b3e5f6c0a2f4ed4a3fb9e0b2f8f8d3a",
  capabilities: ["envelope-v1"],
  duration_ms: "a number",
  error: null,
  upgrade_hints: [],
  data: { success: true, risk_level: "high", findings: [] },
});

step("2. A failure at the community tier: the error beside the payload, the same words in both");
const missing = await call(
  "community",
  "extract_code",
  { path: "/missing.py" },
  "0a46e6c2b6df4e938e8d16ffb567a9b2",
);
show(missing);
assert.deepEqual(timeless(missing), {
  tier: "community",
  tool_version: "3.2.8",
  tool_id: "extract_code",
  request_id: "0a46e6c2b6df4e938e8d16ffb567a9b2",
  capabilities: ["envelope-v1"],
  duration_ms: "a number",
  error: { error: "File not found: /missing.py.", error_code: "not_found", error_details: null },
  upgrade_hints: [],
  data: { success: false, error: "File not found: /missing.py." },
});

step("3. More than the tier has: the scan succeeds without it, with one upgrade hint");
const hinted = await call("pro", "security_scan", { path: "app.py", cross_file: true }, "story-3");
show(hinted);
assert.deepEqual(hinted["upgrade_hints"], [
  { feature: "cross_file", tier: "enterprise", reason: "Flows across files need the enterprise tier" },
]);
assert.deepEqual(hinted["error"], null);

step("4. The same call a tier higher: another list of capabilities, and the finding");
const enterprise = await call("enterprise", "security_scan", { path: "app.py", cross_file: true }, "story-4");
show(enterprise);
assert.deepEqual(enterprise["capabilities"], ["envelope-v1", "cross_file"]);
assert.deepEqual(enterprise["upgrade_hints"], []);
assert.notDeepEqual(enterprise["capabilities"], hinted["capabilities"]);

step("5. A whole tool above the tier: refused, and the hint says what would open it");
const refused = await call("community", "audit_trail", {}, "story-5");
show(refused);
assert.equal((refused["error"] as { error_code: string }).error_code, "upgrade_required");
assert.deepEqual(refused["upgrade_hints"], [
  { feature: "audit_trail", tier: "pro", reason: "audit_trail needs the pro tier" },
]);

step("6. Nothing is lost on the way to response-v2 and its readers");
const envelope = fromEnvelopeV1(refused as never);
show(envelope);
assert.equal(envelope.success, false);
assert.equal(envelope.data["error_code"], "UPGRADE_REQUIRED");

console.log("\nAll six steps hold.");

/** Calls a tool of a server at a tier, as any MCP client would. */
async function call(tier: Tier, name: string, args: Record<string, unknown>, requestId: string) {
  const server = fileURLToPath(new URL("./server.js", import.meta.url));
  const client = new Client({ name: "story", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [server, tier], stderr: "ignore" }),
  );
  const result = await client.callTool({
    name,
    arguments: args,
    _meta: { "foundry-mcp/request_id": requestId },
  });
  await client.close();
  return result.structuredContent as Record<string, unknown>;
}

/** Masks the duration, which differs in every call. */
function timeless(envelope: Record<string, unknown>) {
  return { ...envelope, duration_ms: `a ${typeof envelope["duration_ms"]}` };
}

function step(title: string): void {
  console.log(`\n${title}`);
}

function show(value: unknown): void {
  console.log(JSON.stringify(value, null, 2).replace(/^/gm, "   "));
}
