import { describe, expect, it } from "vitest";
import { defineTool } from "../define/tool.ts";
import { withJsonSchema } from "../schema/schema.ts";
import { createRegistry } from "./registry.ts";

const any = {
  "~standard": { version: 1 as const, vendor: "test", validate: (value: unknown) => ({ value }) },
};

/** A tool that returns the arguments that it received. */
function createEcho(inputSchema: Record<string, unknown>, options: object = {}) {
  return defineTool({
    name: "echo",
    version: "1.0.0",
    description: "",
    input: withJsonSchema(any, inputSchema),
    isForeign: true,
    readOnly: true,
    page: { default: 100, max: 100 },
    listedAs: { annotations: { readOnlyHint: true, title: "Echo" } },
    run: (input) => ({ got: input as object }),
    ...options,
  });
}

const open = (inputSchema: Record<string, unknown>, options: object = {}) =>
  createRegistry({
    name: "test",
    version: "1.0.0",
    serverTool: false,
    outputDetail: "open",
    tools: [createEcho(inputSchema, options)],
  });

describe("a foreign action", () => {
  it("lists the schema and the annotations of the other server, with the parameters that dispatch adds", () => {
    const schema = {
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
      $schema: "http://json-schema.org/draft-07/schema#",
    };
    expect(open(schema).definitions).toEqual([
      {
        name: "echo",
        description: "",
        inputSchema: {
          ...schema,
          properties: {
            path: { type: "string" },
            limit: { type: "integer", minimum: 1, description: "Items per page of a list" },
            cursor: { type: "string", description: "meta.pagination.cursor of the previous page" },
            max_tokens: { type: "integer", minimum: 0, description: "Maximum tokens of the answer" },
          },
        },
        outputSchema: { type: "object" },
        annotations: { readOnlyHint: true, title: "Echo" },
        _meta: { "anthropic/maxResultSizeChars": 200_000 },
      },
    ]);
  });

  it.each([
    ["max_tokens", ["limit", "cursor", "max_tokens"]],
    ["limit", ["cursor", "max_tokens", "limit"]],
    ["cursor", ["max_tokens", "cursor"]],
  ])("leaves the parameter %s to the other server", async (name, names) => {
    const registry = open({ type: "object", properties: { [name]: { type: "string", maxLength: 3 } } });
    const properties = registry.definitions[0]?.inputSchema["properties"] as Record<string, unknown>;
    expect(Object.keys(properties).toSorted()).toEqual(names.toSorted());
    expect(properties[name]).toEqual({ type: "string", maxLength: 3 });
    expect((await registry.call("echo", { [name]: "a text" })).data).toEqual({ got: { [name]: "a text" } });
  });

  it("passes on arguments as they are: unknown names, nulls and wrong types", async () => {
    const registry = open({ type: "object", properties: { a: { type: "number" } }, required: ["b"] });
    const args = { a: null, other: [null, { x: 1 }], "b c": "5" };
    expect(await registry.call("echo", args)).toMatchObject({ success: true, data: { got: args } });
  });

  it("keeps its own parameters from the arguments, and checks them", async () => {
    const registry = open({ type: "object" });
    const { data } = await registry.call("echo", { x: 1, limit: 5, max_tokens: 0 });
    expect(data).toEqual({ got: { x: 1 } });
    const refused = await registry.call("echo", { limit: 0 });
    expect(refused.data).toMatchObject({ error_code: "VALIDATION_ERROR", details: { field: "limit" } });
  });

  it("has its own budget and dialect, which a call and an agreement override", async () => {
    const long = { run: () => ({ text: "word ".repeat(2_000) }) };
    const registry = open({ type: "object" }, { ...long, maxTokens: 200, dialect: "envelope-v1" });
    const caller = { surface: "stdio", client: { name: "test" } } as const;
    const outcome = await registry.dispatch({ tool: "echo", args: { max_tokens: 0 } }, caller);
    expect(outcome.value).toMatchObject({ tool_id: "echo", error: null });
    const refused = await registry.dispatch({ tool: "echo", args: {}, contract: "v2" }, caller);
    expect(refused.value).toMatchObject({
      success: false,
      data: { error_code: "CONTENT_TOO_LARGE", details: { max_tokens: 200 } },
    });
  });

  it("sends blocks of another server unchanged", async () => {
    const block = { type: "image", data: "AAA=", mimeType: "image/png", annotations: { priority: 1 } };
    const registry = open(
      { type: "object" },
      {
        run: (_input: unknown, { attach }: { attach: (attachment: object) => void }) => {
          attach({ type: "block", block });
          return {};
        },
      },
    );
    const caller = { surface: "stdio", client: { name: "test" } } as const;
    expect((await registry.dispatch({ tool: "echo", args: {} }, caller)).blocks).toEqual([block]);
  });
});

describe("a registry whose tools change", () => {
  it("notifies once of the changes of a batch, even if the batch throws", () => {
    const registry = createRegistry({ name: "test", version: "1.0.0", serverTool: false });
    const changes: object[] = [];
    registry.onChange((change) => changes.push(change));
    const tool = createEcho({ type: "object" });
    registry.batch(() => {
      registry.addTool(tool);
      registry.batch(() => registry.addTool({ ...tool, name: "hidden", unlisted: true }));
    });
    expect(changes).toEqual([{ kind: "tools" }]);
    expect(() =>
      registry.batch(() => {
        registry.removeTool("echo");
        throw new Error("stop");
      }),
    ).toThrow("stop");
    expect(changes).toEqual([{ kind: "tools" }, { kind: "tools" }]);
    expect(registry.tools.map(({ name }) => name)).toEqual([]);
    expect([registry.hasTool("echo"), registry.hasTool("hidden")]).toEqual([false, true]);
  });
});
