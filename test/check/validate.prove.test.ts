import { expect, it } from "vitest";
import { envelopeOf, runFoundryCli } from "./run-check-cli.ts";

it("validates 50 MB of envelopes", async () => {
  const line = `${JSON.stringify({
    success: true,
    data: { text: "x".repeat(300) },
    error: null,
    meta: { version: "response-v2", request_id: "r-1" },
  })}\n`;
  const count = Math.ceil((50 * 2 ** 20) / line.length);
  const result = await runFoundryCli(["contract", "validate", "-"], {
    input: line.repeat(count),
    limitMs: 120_000,
  });
  // biome-ignore lint/suspicious/noConsole: how long it takes is worth knowing
  console.log(
    `50 MB, ${count} envelopes: ${Math.round(result.ms)} ms, ${Math.round(result.peakMegabytes ?? 0)} MB`,
  );
  const { data, error } = envelopeOf(result);
  expect(error).toBe(null);
  expect(data).toMatchObject({ envelopes: count, valid: count, finding_count: 0 });
});
