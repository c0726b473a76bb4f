import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { compiledScript } from "./sdk-clients.ts";

// A line of 200 MB over stdio is answered, its bytes are dropped as they arrive, and the connection stays open.

const megabyte = Buffer.alloc(1024 * 1024, "x");
const megabytes = 200;

/** Returns the resident memory of a process in bytes, or undefined if the system has no /proc. */
function residentBytes(pid: number): number | undefined {
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1];
    return Number(pages) * 4096;
  } catch {
    return undefined;
  }
}

it("answers a line of 200 MB in bounded memory, and the next call", async () => {
  const child = spawn(process.execPath, [compiledScript("quick-stdio")], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>;
    const write = async (bytes: string | Buffer) => {
      if (!child.stdin.write(bytes)) await once(child.stdin, "drain");
    };
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    };
    await write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    expect(await next()).toMatchObject({ id: 1, result: {} });
    const before = residentBytes(child.pid ?? 0);
    let most = before ?? 0;
    // The SDK of TypeScript writes the id behind the parameters.
    await write('{"method":"tools/call","params":{"name":"x","arguments":{"id":9,"a":"');
    for (let count = 0; count < megabytes; count++) {
      await write(megabyte);
      most = Math.max(most, residentBytes(child.pid ?? 0) ?? 0);
    }
    await write('"}},"jsonrpc":"2.0","id":2}\n');
    expect(await next()).toMatchObject({
      id: 2,
      error: { code: -32_600, data: { data: { error_code: "CONTENT_TOO_LARGE" } } },
    });
    await write('{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{}}\n');
    expect(await next()).toMatchObject({ id: 3, result: { tools: expect.any(Array) } });
    if (before !== undefined) expect(most - before).toBeLessThan(100 * 1024 * 1024);
  } finally {
    child.kill("SIGKILL");
  }
});
