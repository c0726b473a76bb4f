import { createHash } from "node:crypto";
import type { UnknownRecord } from "@foundry-mcp/contract";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { expect, it } from "vitest";
import { fixtureEntry, openTestGateway } from "./testing/open-test-gateway.ts";

it("walks 10 MB of rows under a budget without gap and repeat, and returns the whole byte for byte", async () => {
  const archive = createMemoryArchive();
  const gateway = await openTestGateway({ one: fixtureEntry("good") }, {}, { archive });
  const rows = 110_000;
  try {
    let cursor: string | undefined;
    let next = 0;
    do {
      const outcome = await gateway.dispatch({ tool: "call", args: { rows, ...(cursor ? { cursor } : {}) } });
      const { data, meta } = outcome.envelope;
      // 20,000 tokens are 20,000 bytes at least and, for this text, 80,000 at most.
      expect(outcome.text.length).toBeLessThan(80_000);
      for (const { id } of (data as { readonly rows: readonly { readonly id: number }[] }).rows) {
        if (id !== next) throw new Error(`Row ${id} follows row ${next - 1}`);
        next += 1;
      }
      cursor = meta.pagination?.cursor ?? undefined;
    } while (cursor !== undefined);
    expect([next, gateway.status.upstreams[0]?.calls]).toEqual([rows, 1]);
    const [entry] = await archive.list("local");
    const whole = entry === undefined ? new Uint8Array() : await archive.read(entry);
    expect(whole.length).toBeGreaterThan(8_000_000);
    expect(`sha256:${createHash("sha256").update(whole).digest("hex")}`).toBe(entry?.hash);
    const stored = JSON.parse(Buffer.from(whole).toString("utf8")) as UnknownRecord & { rows: unknown[] };
    expect([stored["kind"], stored.rows.length]).toEqual(["list", rows]);
  } finally {
    await gateway.close();
  }
});
