import { notFound } from "@foundry-mcp/contract";
import { expect, it } from "vitest";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import { listCommandTools } from "./open-program.ts";
import { runWords } from "./testing/run-words.ts";

const ships = defineTool({
  name: "ship",
  version: "1.0.0",
  description: "Ships",
  actions: {
    list: action({ cli: { command: "fleet", aliases: ["ships all"] }, run: () => ({ ships: [] }) }),
    get: action({
      run: () => {
        throw notFound("berth", "b-1", {
          remediation: "List them with {1}.",
          remedy: { tool: "berth", action: "list" },
        });
      },
    }),
  },
});
const berths = defineTool({
  name: "berth",
  version: "1.0.0",
  description: "Berths",
  actions: { list: action({ cli: { command: "berths list" }, run: () => ({ berths: [] }) }) },
});

/** Runs a command line with `parts`; returns the answer and the registries that were created. */
async function runParts(...argv: string[]) {
  const created: string[] = [];
  const open = (tool?: string) => {
    created.push(tool ?? "all");
    const tools = [ships, berths].filter(({ name }) => tool === undefined || name === tool);
    return createRegistry({ name: "demo", version: "1.0.0", tools });
  };
  const toolOf = await listCommandTools(open(), { name: "demo" });
  created.length = 0;
  return { run: await runWords(open, argv, {}, { parts: { toolOf, open } }), created, toolOf };
}

it("lists the tool of every command in all spellings", async () => {
  const { toolOf } = await runParts("fleet");
  const own = Object.entries(toolOf).filter(([, tool]) => tool === "ship" || tool === "berth");
  expect(Object.fromEntries(own)).toEqual({
    fleet: "ship",
    "ships all": "ship",
    "ship list": "ship",
    "ship get": "ship",
    "berths list": "berth",
    "berth list": "berth",
  });
});

it.each([
  [["fleet"], ["ship"]],
  [["ships", "all"], ["ship"]],
  [["SHIP", "list"], ["all"]],
  [["--json", "fleet"], ["all"]],
  [["fleet", "--help"], ["all"]],
  [["help", "fleet"], ["all"]],
  [["nothing"], ["all"]],
  [["server", "health"], ["server"]],
])("%j creates %j", async (argv, created) => {
  expect((await runParts(...argv)).created).toEqual(created);
});

it("creates the whole where a remedy is a command of another tool", async () => {
  const { created, run } = await runParts("ship", "get");
  expect(created).toEqual(["ship", "all"]);
  expect(run.envelope.data).toMatchObject({ remediation: "List them with demo berths list." });
});
