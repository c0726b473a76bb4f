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
    {
      tool: "memo",
      action: "get",
      when: { mode: "risk" },
      to: ["notes", "get"],
      set: { kind: "risk" },
      parameters: { mode: () => ({}) },
    },
    {
      tool: "notes",
      action: "risk-find",
      to: ["notes", "get"],
      parameters: { note_id: "id" },
      requires: { note_id: "id" },
    },
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
    ["notes", { action: "risk-find", note_id: "a" }, { id: "a" }],
    ["notes", { action: "risk-find", id: "a" }, { id: "a" }],
    ["notes", { action: "get", note_id: "a", verbose: true, workspace: "/here" }, { id: "a" }],
    ["notes", { action: "get", owner: "ann", label: "x" }, { metadata: { owner: "ann", label: "x" } }],
    ["memo", { action: "get", id: "a" }, { id: "a" }],
    ["memo", { action: "get", id: "a", mode: "risk" }, { id: "a", kind: "risk" }],
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

  it("asks for a required parameter by the name of the other server", async () => {
    const { success, data } = await registry.call("notes", { action: "risk-find", note_id: null });
    expect({ success, data }).toEqual({
      success: false,
      data: {
        error_code: "MISSING_REQUIRED",
        error_type: "validation",
        remediation: "Provide note_id.",
        details: { field: "note_id", constraint: "required", received: null },
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

  it("lists tools that only the other server has, and the actions of all", async () => {
    const memo = create(true).definitions.find(({ name }) => name === "memo");
    expect(memo).toEqual({
      name: "memo",
      description: "Answer calls by their names on another server",
      inputSchema: {
        type: "object",
        properties: { action: { enum: ["get"] }, workspace: {}, mode: {} },
        required: ["action"],
      },
      annotations: {},
      _meta: {},
    });
    const options = { name: "n", version: "1.0.0", tools: [notes] };
    const listed = createRegistry({ ...options, compatibility: { ...compatibility, listed: true } });
    const { data } = await listed.call("server", { action: "tools" });
    const tools = data["tools"] as readonly { readonly name: string; readonly actions: readonly string[] }[];
    expect(tools.filter(({ name }) => name !== "server")).toEqual([
      { name: "notes", version: "1.0.0", description: "Notes", actions: ["get", "risk-read", "risk-find"] },
      {
        name: "memo",
        version: "1.0.0",
        description: "Answer calls by their names on another server",
        actions: ["get"],
      },
    ]);
    const plain = await createRegistry({ ...options, compatibility }).call("server", { action: "tools" });
    expect((plain.data["tools"] as typeof tools).map(({ name }) => name)).toEqual(["notes", "server"]);
  });

  it("answers a refusal in the name of a tool that is there, so that it is no unknown tool", async () => {
    const refusing = createRegistry({
      name: "n",
      version: "1.0.0",
      tools: [notes],
      compatibility: { calls: [{ tool: "chat", action: "say", to: "There is no chat." }] },
    });
    const caller = { surface: "stdio", client: { name: "c" } } as const;
    const { tool, envelope } = await refusing.dispatch({ tool: "chat", args: { action: "say" } }, caller);
    expect([tool, envelope.data["remediation"]]).toEqual(["server", "There is no chat."]);
    const unknown = await refusing.dispatch({ tool: "chat", args: { action: "hear" } }, caller);
    expect(unknown.tool).toBeUndefined();
  });

  it("lists nothing of it unless it is told to", () => {
    const plain = createRegistry({ name: "n", version: "1.0.0", tools: [notes], serverTool: false });
    expect(registry.definitions).toEqual(plain.definitions);
    expect(registry.tools.map(({ name }) => name)).toEqual(["notes"]);
    const [definition] = create(true).definitions;
    const properties = (definition?.inputSchema["properties"] ?? {}) as Record<string, { enum?: string[] }>;
    expect(properties["action"]?.enum).toEqual(["get", "risk-read", "risk-find"]);
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(["id", "workspace", "note_id", "owner", "label", "verbose"]),
    );
  });
});
