import { envelopeV1Schema } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";

const demo = { name: "demo", description: "Demo", run: () => ({ done: true }) };

describe("a server whose dialect is envelope-v1", () => {
  const tool = defineTool({ ...demo, version: "1.0.0" });
  const registry = createRegistry({
    name: "v1",
    version: "1.0.0",
    tools: [tool],
    dialect: "envelope-v1",
    outputDetail: "compact",
  });
  const fields = Object.keys(envelopeV1Schema.shape);

  it("promises all nine fields, and sends them", async () => {
    const schema = registry.definitions[0]?.outputSchema as { properties: object; required: string[] };
    expect(Object.keys(schema.properties)).toEqual(fields);
    expect(schema.required).toEqual(fields);
    const { value } = await registry.dispatch(
      { tool: "demo", args: {} },
      { surface: "stdio", client: { name: "test" } },
    );
    expect(Object.keys(value)).toEqual(fields);
    expect(value).toMatchObject({ duration_ms: expect.any(Number), data: { done: true } });
    expect(value["data"]).toEqual({ done: true });
  });
});

describe("the version of a tool", () => {
  it.each(["1.0.0", "0.1.0", "10.20.30-rc.1+build.5"])("may be %s", (version) => {
    const tools = [defineTool({ ...demo, version })];
    expect(createRegistry({ name: "v", version: "1.0.0", tools }).tools[0]?.version).toBe(version);
  });

  it.each<[unknown, string]>([
    ["", "(a text of 0 characters)"],
    ["1", '"1"'],
    ["v1.0.0", '"v1.0.0"'],
    ["01.0.0", '"01.0.0"'],
    ["1.0.0\n", "(a text of 6 characters)"],
    [undefined, "of type undefined"],
    [7, "of type number"],
  ])("that is %j is refused", (version, shown) => {
    const tools = [defineTool({ ...demo, version: version as string })];
    expect(() => createRegistry({ name: "v", version: "1.0.0", tools })).toThrow(
      `Cannot declare tool demo: its version ${shown} is no semantic version`,
    );
  });
});
