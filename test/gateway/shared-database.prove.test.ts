import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Envelope, UnknownRecord } from "@foundry-mcp/contract";
import { connect } from "@foundry-mcp/toolkit/client";
import { afterAll, expect, it } from "vitest";
import { foundryCli } from "../bins.ts";
import { findFreePort } from "../postgres/free-port.ts";
import { createTestDatabase, describeConcurrent } from "../postgres/test-databases.ts";

const folder = mkdtempSync(join(tmpdir(), "foundry-gateway-shared-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});
const fixture = fileURLToPath(
  new URL("../../packages/foundry/src/gateway/fixtures/upstream.mjs", import.meta.url),
);
const config = join(folder, "servers.json");
writeFileSync(
  config,
  JSON.stringify({
    mcpServers: {
      one: { command: process.execPath, args: [fixture, "good"] },
      two: { command: process.execPath, args: [fixture, "error-404"] },
    },
  }),
);

/** Starts a gateway that uses a database, and returns its address. */
async function start(store: string): Promise<{ readonly url: string; end(): Promise<void> }> {
  const port = await findFreePort();
  const args = ["gateway", "--config", config, "--port", String(port), "--store", store];
  const child = spawn(
    process.execPath,
    [foundryCli, ...args, "--rate-limit", "12", "--max-tokens", "600", "--log-level", "silent"],
    { env: { PATH: process.env["PATH"], HOME: folder }, stdio: ["ignore", "ignore", "pipe"] },
  );
  children.push(child);
  if (child.stderr !== null) await once(createInterface({ input: child.stderr }), "line");
  return {
    url: `http://127.0.0.1:${port}`,
    async end() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

const codeOf = ({ success, data }: Envelope) => (success ? "OK" : (data as UnknownRecord)["error_code"]);
const textOf = ({ data }: Envelope) => JSON.stringify(data);

async function statusAt(url: string): Promise<UnknownRecord[]> {
  const response = await fetch(`${url}/api/tools/gateway`, { method: "POST", body: "{}" });
  const { data } = (await response.json()) as { data: { upstreams: UnknownRecord[] } };
  return data.upstreams.map(({ name, calls, failures }) => ({ name, calls, failures }));
}

describeConcurrent("two gateways that use one database", () => {
  it("share limits, the content that answers leave out, pages and counts", async () => {
    const database = await createTestDatabase();
    const [first, second] = await Promise.all([start(database.url), start(database.url)]);
    const one = await connect(`${first.url}/mcp`);
    const two = await connect(`${second.url}/mcp`);

    const args = { rows: 60 };
    const page = await one.callTool("one__call", args);
    const { pagination } = page.meta;
    const next = await two.callTool("one__call", { ...args, cursor: pagination?.cursor });
    expect(next.meta.pagination).toMatchObject({ total_count: pagination?.total_count });
    expect(codeOf(next)).toBe("OK");
    expect(textOf(next)).not.toBe(textOf(page));

    const text = "word ".repeat(2_000);
    const long = await one.callTool("one__change", { text });
    const id = String(long.meta.dropped_content_ids?.[0]);
    const [hash] = Object.values(long.meta["content_archive_hashes"] as Record<string, string>);
    expect([id, hash]).toEqual([expect.any(String), expect.stringMatching(/^sha256:/)]);
    const fetched = await two.callTool("content", { action: "get", hash, max_tokens: 0 });
    expect(textOf(fetched)).toContain(text);

    // Two of the twelve calls that the limit allows were made already.
    const codes: unknown[] = [];
    for (let call = 0; call < 12; call += 1)
      codes.push(codeOf(await (call % 2 === 0 ? one : two).callTool("one__call", { call })));
    expect(codes).toEqual([...Array(10).fill("OK"), ...Array(2).fill("RATE_LIMIT_EXCEEDED")]);

    for (const client of [one, two]) expect(codeOf(await client.callTool("two__call"))).toBe("NOT_FOUND");
    const all = [
      { name: "one", calls: 12, failures: {} },
      { name: "two", calls: 2, failures: { NOT_FOUND: 2 } },
    ];
    await expect.poll(() => statusAt(first.url), { timeout: 60_000 }).toEqual(all);
    await expect.poll(() => statusAt(second.url), { timeout: 60_000 }).toEqual(all);

    await Promise.all([one.close(), two.close()]);
    await second.end();
    const [left] = await statusAt(first.url);
    expect(Number(left?.["calls"])).toBeLessThan(12);
    await first.end();
    await database.close();
  });
});
