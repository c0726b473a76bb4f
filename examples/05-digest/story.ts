// This story has a document, a question, and quotes that can be verified. foundry-mcp digests the document over MCP,
// and the client checks the quotes. The story prints real output and checks itself: any deviation ends the story with
// an error.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkEnvelope, type Envelope } from "@foundry-mcp/contract";
import { type DigestPayload, parseLocator, sourceTextHash } from "@foundry-mcp/contract/digest";
import { connect, unwrap } from "@foundry-mcp/toolkit/client";

const tides = `The water at a coast rises and falls, and has done so for as long as there was a moon 🌙. People who live
there know it without a book. Every harbour keeps its own table, and no two of them agree to the minute.

There are two tides a day because the sea bulges on the side that faces the moon and on the far side as well. The earth
turns under both bulges once in a lunar day, which is 24 hours and 50 minutes long. So each tide comes some 25 minutes
later than the one twelve hours before. The sun raises bulges too, with less than half of the force.

When sun and moon pull in one line, the water stands highest. That is the spring tide, and it comes at new moon and at
full moon. A week later they pull at right angles, and the water moves least: the neap tide.

A table is made of decades of measurements at one pier. Storms are in no table. Wind from the sea piles up the water, and
low pressure lets it rise by a centimetre for each hectopascal. Whoever moors a boat leaves some rope for that.
`;

// A server reads files in its workspace, which is the folder that contains a folder named specs.
const workspace = await mkdtemp(join(tmpdir(), "foundry-story-"));
await mkdir(join(workspace, "specs"));
await writeFile(join(workspace, "tides.txt"), tides);
const server = fileURLToPath(new URL("bin/foundry-mcp.cjs", import.meta.resolve("foundry-mcp/package.json")));
const connection = await connect({
  command: process.execPath,
  args: [server, "--store", "file", "--tools", "research"],
  cwd: workspace,
  stderr: "ignore",
});

step("1. A document is digested for a question: quotes, each with its place");
const answer = await connection.callTool<{ digest: DigestPayload }>("research", {
  action: "digest",
  source: { path: "tides.txt" },
  query: "two tides a day",
  snippets: 2,
});
const { digest } = unwrap(answer);
show(digest);
assert.deepEqual(checkEnvelope(answer), []);
const [best] = digest.evidence_snippets;
assert(best !== undefined && best.relevance_score > 0);
assert.match(best.text, /^There are two tides a day because the sea bulges/);
assert(digest.digest_chars < digest.original_chars);

step("2. The text that it quotes is kept under its hash, and its bytes have that hash");
const kept = await connection.callTool<{ text: string }>("content", {
  action: "get",
  hash: digest.source_text_hash,
  max_tokens: 0,
});
const { text } = unwrap(kept);
show(`${text.slice(0, 100)}…`);
assert.equal(sourceTextHash(text), digest.source_text_hash);

step("3. Every quote stands there, counted in code points: the moon is one");
const points = Array.from(text);
for (const snippet of digest.evidence_snippets) {
  const { start, end } = parseLocator(snippet.locator);
  const found = points.slice(start, end).join("");
  show({ locator: snippet.locator, found });
  assert.equal(found, snippet.text);
}
assert.notEqual(text.slice(...spanOf(best.locator)), best.text);

step("4. The server comes to the same");
const verified = await connection.callTool("research", { action: "verify", digest: { ...digest } });
show(verified.data);
assert.deepEqual([verified.success, verified.data["verified"], verified.data["checked"]], [true, true, 2]);

step("5. A quote that somebody has bent is refused");
const forged = {
  ...digest,
  evidence_snippets: digest.evidence_snippets.map((snippet) => ({
    ...snippet,
    text: snippet.text.replace("two tides", "six tides"),
  })),
};
const refused = await connection.callTool("research", { action: "verify", digest: forged });
show(refused);
assertFailure(refused, "VALIDATION_ERROR");
const snippets = refused.data["snippets"] as readonly { readonly verified: boolean }[];
assert.deepEqual(
  snippets.map((snippet) => snippet.verified),
  [false, true],
);

step("6. A question that the document says nothing to gets no relevance, and a warning");
const unasked = await connection.callTool<{ digest: DigestPayload }>("research", {
  action: "digest",
  source: { path: "tides.txt" },
  query: "quarterly revenue",
});
show(unasked.meta.warnings);
assert.deepEqual([...new Set(unwrap(unasked).digest.evidence_snippets.map(scoreOf))], [0]);

step("7. What lies outside of the workspace is not read");
const outside = await connection.callTool("research", { action: "digest", source: { path: "/etc/hosts" } });
show(outside);
assertFailure(outside, "FORBIDDEN");

await connection.close();
await rm(workspace, { recursive: true });
console.log("\nAll seven steps hold.");

function spanOf(locator: string): [start: number, end: number] {
  const { start, end } = parseLocator(locator);
  return [start, end];
}

function scoreOf(snippet: { readonly relevance_score: number }): number {
  return snippet.relevance_score;
}

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
