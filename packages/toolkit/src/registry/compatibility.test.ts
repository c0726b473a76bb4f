import { describe, expect, it } from "vitest";
import { z } from "zod";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import type { Compatibility } from "./compatibility.ts";
import { createRegistry } from "./registry.ts";

const echo = action({
  input: () =>
    z.object({
      id: z.string().optional(),
      kind: z.string().optional(),
      metadata: z.record(z.string(), z.unknown()).optional(),
    }),
  output: () => z.object({ given: z.record(z.string(), z.unknown()) }),
  run: (given) => ({ given }),
});
const notes = defineTool({ name: "notes", version: "1.0.0", description: "Notes", actions: { get: echo } });
const hidden = defineTool({
  name: "old-tool",
  version: "1.0.0",
  description: "Old",
  unlisted: true,
  actions: { get: echo },
});
const compatibility: Compatibility = {
  calls: [
    {
      tool: "notes",
      action: "risk-read",
      to: ["notes", "get"],
      set: { kind: "risk" },
      parameters: { note_id: "id" },
    },
    {
      tool: "notes",
      action: "get",
      to: ["notes", "get"],
      parameters: {
        note_id: "id",
        owner: (value) => ({ metadata: { owner: value } }),
        label: (value) => ({ metadata: { label: value } }),
        verbose: (value) => (value === true ? {} : "Answers are always verbose."),
      },
    },
    { tool: "memo", action: "get", to: ["notes", "get"] },
    { tool: "notes", action: "chat", to: "There is no chat: use get." },
  ],
  parameters: { workspace: (value) => (value === "/here" ? {} : "There is one workspace.") },
};
const create = (listed: boolean) =>
  createRegistry({
    name: "n",
    version: "1.0.0",
    tools: [notes, hidden],
    compatibility: { ...compatibility, listed },
    serverTool: false,
  });
const registry = create(false);
const given = async (tool: string, args: object) => (await registry.call(tool, args)).data["given"];

describe("compatibility", () => {
  it.each([
    ["notes", { action: "get", id: "a" }, { id: "a" }],
    ["notes", { action: "risk-read", note_id: "a" }, { kind: "risk", id: "a" }],
    ["notes", { action: "RISK_READ", note_id: "a" }, { kind: "risk", id: "a" }],
    ["notes", { action: "get", note_id: "a", verbose: true, workspace: "/here" }, { id: "a" }],
    ["notes", { action: "get", owner: "ann", label: "x" }, { metadata: { owner: "ann", label: "x" } }],
    ["memo", { action: "get", id: "a" }, { id: "a" }],
    ["old-tool", { action: "get", id: "a" }, { id: "a" }],
  ])("%s %j is answered", async (tool, args, expected) => {
    expect(await given(tool, args)).toEqual(expected);
  });

  it.each([
    ["notes", { action: "chat" }, "action", "There is no chat: use get."],
    ["notes", { action: "get", verbose: false }, "verbose", "Answers are always verbose."],
    ["notes", { action: "get", workspace: "/there" }, "workspace", "There is one workspace."],
    ["notes", { action: "get", id: "a", note_id: "b" }, "note_id", "Give id once."],
    ["notes", { action: "risk-read", kind: "x" }, "kind", "Give kind once."],
  ])("%s %j is refused with the reason", async (tool, args, field, reason) => {
    expect(await registry.call(tool, args)).toMatchObject({
      success: false,
      data: {
        error_code: "VALIDATION_ERROR",
        remediation: reason,
        details: { field, constraint: "unsupported" },
      },
    });
  });

  it("refuses what neither server has as before", async () => {
    expect(await registry.call("notes", { action: "get", nothing: 1, note_id: "a" })).toMatchObject({
      success: false,
      data: { details: { field: "nothing", constraint: "unknown" } },
    });
    expect(
      await registry.call("notes", JSON.parse('{"action":"get","__proto__":{"id":"a"},"note_id":"b"}')),
    ).toMatchObject({ success: false, data: { details: { constraint: "unknown" } } });
  });

  it("lists nothing of it unless it is told to", () => {
    const plain = createRegistry({ name: "n", version: "1.0.0", tools: [notes], serverTool: false });
    expect(registry.definitions).toEqual(plain.definitions);
    expect(registry.tools.map(({ name }) => name)).toEqual(["notes"]);
    const [definition] = create(true).definitions;
    const properties = (definition?.inputSchema["properties"] ?? {}) as Record<string, { enum?: string[] }>;
    expect(properties["action"]?.enum).toEqual(["get", "risk-read"]);
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(["id", "workspace", "note_id", "owner", "label", "verbose"]),
    );
  });
});
