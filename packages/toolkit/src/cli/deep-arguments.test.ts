import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import { runWords } from "./testing/run-words.ts";

const echo = defineTool({
  name: "echo",
  version: "1.0.0",
  description: "Returns its value",
  input: z.object({ value: z.json() }),
  run: ({ value }) => ({ value }),
});
const registry = createRegistry({ name: "demo", version: "1.0.0", tools: [echo] });

const folder = mkdtempSync(join(tmpdir(), "deep-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const levels = 100_000;
const texts = {
  lists: "[".repeat(levels) + "]".repeat(levels),
  objects: `${'{"a":'.repeat(levels)}0${"}".repeat(levels)}`,
};

it.each(Object.entries(texts))("refuses arguments of 100,000 levels in any place: %s", async (name, text) => {
  const file = join(folder, name);
  const whole = join(folder, `${name}.json`);
  writeFileSync(file, text);
  writeFileSync(whole, `{"value":${text}}`);
  const runs = [
    await runWords(registry, ["echo", "--value", `@${file}`]),
    await runWords(registry, ["echo", "--value", "-"], { stdin: text }),
    await runWords(registry, ["echo", "--value", text]),
    await runWords(registry, ["echo", "--params", `@${whole}`]),
    await runWords(registry, ["echo", "--params", "-"], { stdin: `{"value":${text}}` }),
  ];
  for (const { code, envelope } of runs) {
    expect([code, envelope.success, envelope.error]).toEqual([
      1,
      false,
      "Cannot read value: it nests lists and objects deeper than 1,000 levels",
    ]);
    expect(envelope.data).toMatchObject({
      error_code: "VALIDATION_ERROR",
      remediation: "Nest lists and objects in value at most 1,000 levels deep.",
    });
  }
});
