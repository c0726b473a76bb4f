import { checkEnvelope, type Envelope } from "@foundry-mcp/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDemoRegistry } from "./testing/demo-registry.ts";
import { runWords } from "./testing/run-words.ts";

const registry = createDemoRegistry();

const words = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("tasks", "find", "complete", "echo-all", "task-list", "tag-all", "odd"),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...["--text", "--count", "--is-open", "--no-is-open", "--tags", "--shape", "--size", "--anything"],
      ...[
        "--limit",
        "--cursor",
        "--params",
        "--timeout",
        "--request-id",
        "--max-tokens",
        "--spec-id",
        "--bogus",
      ],
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom("-", "--", "", "{}", "[]", "null", "-1", "@nowhere", "@@", "=", "--=", "-hx"),
  },
  { weight: 3, arbitrary: fc.string({ unit: "binary" }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("--human", "--help", "--version", "completion", "bash", "help", "__complete"),
  },
);

describe("any command line", () => {
  it("gets one envelope line and the right exit code, or the text that it asked for", async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 8 }), async (argv) => {
        const { code, stdout } = await runWords(registry, argv, { stdin: "{}" });
        seen.add(code);
        expect([0, 1, 2]).toContain(code);
        const asksForText = ["--human", "--help", "-hx", "completion", "help", "__complete"];
        if (argv.some((word) => asksForText.includes(word))) return;
        expect(stdout).toMatch(/^[^\n]+\n$/);
        const envelope = JSON.parse(stdout) as Envelope;
        expect(checkEnvelope(envelope, { deep: true })).toEqual([]);
        expect(code === 0).toBe(envelope.success);
      }),
      { numRuns: 500 },
    );
    expect([...seen].sort()).toEqual([0, 1, 2]);
  });
});
