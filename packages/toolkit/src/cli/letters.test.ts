import { expect, it } from "vitest";
import { z } from "zod";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import { runWords } from "./testing/run-words.ts";

function registryWith(short: Readonly<Record<string, string>>) {
  const tool = defineTool({
    name: "tide",
    version: "1.0.0",
    description: "Tides",
    actions: {
      list: action({
        input: z.object({ port: z.string().optional(), high: z.boolean().optional() }),
        readOnly: true,
        cli: { short },
        run: (input) => input,
      }),
    },
  });
  return createRegistry({ name: "tides", version: "1.0.0", tools: [tool] });
}

const usual = { port: "p", high: "H" };
const run = (words: readonly string[], short: Readonly<Record<string, string>> = usual) =>
  runWords(registryWith(short), ["tide", "list", ...words]);

it("stand for options, with their values in every form", async () => {
  for (const words of [
    ["-p", "dover", "-H"],
    ["-pdover", "-H"],
    ["-Hp", "dover"],
    ["--port", "dover", "-H"],
  ]) {
    const { code, envelope } = await run(words);
    expect([code, envelope.data]).toEqual([0, { port: "dover", high: true }]);
  }
});

it("are shown before the option", async () => {
  const { stdout } = await run(["--help"]);
  expect(stdout).toContain("-p, --port <text>");
  expect(stdout).toContain("-H, --high");
});

it("are refused twice, and where nobody has them", async () => {
  expect((await run(["-p", "a", "--port", "b"])).code).toBe(2);
  expect((await run(["-x"])).code).toBe(2);
});

it.each([{ port: "pp" }, { port: "h" }, { port: "p", high: "p" }, { harbour: "p" }, { port: "-" }])(
  "must make sense: %j does not",
  async (short) => {
    const { envelope } = await run([], short);
    expect(envelope.data["error_code"]).toBe("INTERNAL_ERROR");
  },
);
