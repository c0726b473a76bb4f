import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createMemoryArchive } from "../archive/memory-archive.ts";
import { type InputDetail, inputDetails } from "../catalogue/flat-input.ts";
import { type OutputDetail, outputDetails } from "../catalogue/output-schema.ts";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "./registry.ts";

const run = () => ({});
const parent = () => ({
  parent_id: z.string().optional().describe("The id of the parent"),
  labels: z.record(z.string().max(9), z.string()).optional(),
});
const task = defineTool({
  name: "task",
  version: "1.0.0",
  description: "Tasks",
  actions: {
    get: action({
      description: "One task; with everything that is known of it",
      input: z.object({ id: z.string().min(3).describe("The task's id"), depth: z.int().max(9).optional() }),
      readOnly: true,
      run,
    }),
    list: action({
      description: "Tasks in the order of their ids",
      input: z.object({ status: z.enum(["open", "done"]).default("open").describe("Only these") }),
      readOnly: true,
      page: { default: 10, max: 100 },
      run,
    }),
    move: action({
      input: z.object({ id: z.string().min(3), to: z.looseObject({}).describe("Where to"), ...parent() }),
      run,
    }),
    remove: action({
      input: z.object({ id: z.string().min(3), limit: z.int().max(5).optional(), ...parent() }),
      run,
    }),
  },
});
const open = (inputDetail: "full" | "brief") =>
  createRegistry({ name: "r", version: "1", serverTool: false, tools: [task], inputDetail });

describe("a brief input schema", () => {
  it("leaves out what the schema action and validation errors tell", () => {
    expect(open("brief").definitions[0]?.inputSchema).toEqual({
      type: "object",
      properties: {
        action: {
          type: "string",
          enum: ["get", "list", "move", "remove"],
          description:
            "get(id): One task; with everything that is known of it\nlist(): Tasks in the order of their ids\nmove(id, to)\nremove(id)",
        },
        id: { type: "string", description: "The task's id" },
        depth: { type: "integer", description: "For get" },
        status: { type: "string", enum: ["open", "done"], default: "open", description: "list: Only these" },
        // One of the actions has its own limit.
        limit: { type: "integer", description: "list: Rows per page. Also remove" },
        cursor: { type: "string" },
        to: { type: "object", description: "Where to" },
        // These parameters need no description, because their names are clear: the id of a parent, names of
        // members.
        parent_id: { type: "string" },
        labels: { type: "object", additionalProperties: { type: "string" }, description: "For move, remove" },
        max_tokens: { type: "integer" },
      },
      required: ["action"],
      additionalProperties: false,
    });
  });

  it("does not change validation", async () => {
    for (const args of [
      { action: "get", id: "a" },
      { action: "get", id: "abc", depth: 10 },
      { action: "list", limit: 101 },
      { action: "list", max_tokens: -1 },
      { action: "move", id: "abc" },
    ]) {
      const [full, brief] = [await open("full").call("task", args), await open("brief").call("task", args)];
      expect([brief.success, brief.error, brief.data]).toEqual([false, full.error, full.data]);
    }
  });

  it("is complete in server(action=schema)", async () => {
    const registry = createRegistry({ name: "r", version: "1", tools: [task], inputDetail: "brief" });
    const { data } = await registry.call("server", { action: "schema", tool: "task", for_action: "get" });
    expect(data["actions"]).toMatchObject([
      {
        description: "One task; with everything that is known of it",
        input: { properties: { id: { minLength: 3 }, depth: { maximum: 9 } } },
      },
    ]);
  });

  it("of a plain tool is its full schema", () => {
    const plain = defineTool({
      name: "plain",
      version: "1.0.0",
      description: "Plain",
      input: z.object({ id: z.string().min(3) }),
      run,
    });
    const [brief, full] = (["brief", "full"] as const).map((inputDetail) => {
      const registry = createRegistry({ name: "r", version: "1", tools: [plain], inputDetail });
      return registry.definitions[0]?.inputSchema;
    });
    expect(brief).toEqual(full);
  });
});

describe("the definitions of the built-in tools", () => {
  /** Returns the number of tokens that the definitions cost every client of a server. */
  const costOf = (outputDetail: OutputDetail, inputDetail: InputDetail) => {
    const budget = { archive: createMemoryArchive() };
    const { definitions } = createRegistry({ name: "r", version: "1", outputDetail, inputDetail, budget });
    return definitions.reduce((sum, definition) => sum + countTokens(JSON.stringify(definition)), 0);
  };

  it("cost fewer tokens in the brief form", () => {
    const costs = outputDetails.flatMap((output) => inputDetails.map((input) => costOf(output, input)));
    // These numbers appear in docs/reference/toolkit.md.
    expect(costs.map((cost) => Math.round(cost / 50) * 50)).toEqual([2_250, 2_100, 800, 650, 600, 450]);
    expect(costs.at(-1)).toBeLessThan(450);
  });
});
