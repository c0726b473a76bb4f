import { type Envelope, errorResponse, successResponse } from "@foundry-mcp/contract";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { Role } from "../context/principal.ts";
import { createRegistry } from "../registry/registry.ts";
import { action } from "./action.ts";
import { definePrompt } from "./prompt.ts";
import { defineTool } from "./tool.ts";

describe("the type of a role", () => {
  it("is any name, since a registry may name roles of its own", () => {
    expectTypeOf<Role>().toEqualTypeOf<string>();
    const tool = defineTool({
      name: "notes",
      version: "1.0.0",
      description: "Notes",
      role: "author",
      run: (_input, { role }) => ({ role }),
    });
    const registry = createRegistry({
      name: "notes",
      version: "1.0.0",
      roles: ["observer", "author", "maintainer"],
      role: "author",
      tools: [tool],
    });
    expectTypeOf(registry.options.roles).toEqualTypeOf<readonly Role[]>();
    // @ts-expect-error a role is a name
    action({ role: 1, run: () => ({}) });
  });
});

describe("the types of schemas", () => {
  it("reach the handler from the input schema, also from a lazy one", () => {
    action({
      input: z.object({ id: z.string(), n: z.coerce.number().default(3), when: z.string().optional() }),
      run: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ id: string; n: number; when?: string | undefined }>();
        return {};
      },
    });
    action({
      input: () => z.object({ id: z.string() }),
      run: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ id: string }>();
      },
    });
    definePrompt({
      name: "p",
      arguments: z.object({ who: z.string() }),
      render: ({ who }) => {
        expectTypeOf(who).toEqualTypeOf<string>();
        return who;
      },
    });
    expect(true).toBe(true);
  });

  it("refuse a payload that differs from the output schema", () => {
    action({ output: z.object({ text: z.string() }), run: () => ({ text: "x" }) });
    // @ts-expect-error a number is no text
    action({ output: z.object({ text: z.string() }), run: () => ({ text: 1 }) });
    // @ts-expect-error an array is no payload
    action({ run: () => [1] });
    // @ts-expect-error nothing is returned
    action({ output: z.object({ text: z.string() }), run: () => {} });
    defineTool({
      name: "t",
      version: "1.0.0",
      description: "T",
      output: z.object({ text: z.string() }),
      // @ts-expect-error the payload is missing
      run: async () => ({}),
    });
    expect(true).toBe(true);
  });

  it("keep literals of enums and accept readonly lists in the payload", () => {
    const output = z.object({ state: z.enum(["on", "off"]), rows: z.array(z.object({ id: z.string() })) });
    const rows: readonly { readonly id: string }[] = [];
    action({ output, run: () => ({ state: "on", rows }) });
    action({ output, run: async () => ({ state: rows.length > 0 ? "on" : "off", rows: [{ id: "1" }] }) });
    action({
      output: () => output,
      run: (_input, { page }) => ({ state: "off", rows: page.sorted(rows, { key: ({ id }) => [id] }) }),
    });
    action({
      output,
      // @ts-expect-error there is no such state
      run: () => ({ state: "one", rows }),
    });
    defineTool({
      name: "t",
      version: "1.0.0",
      description: "T",
      output,
      run: () => ({ state: "on", rows: [] }),
    });
    action({ run: () => ({ anything: [1] }) });
    action({ run: async () => {} });
    expect(true).toBe(true);
  });

  it("accept envelopes with that payload from a handler", () => {
    const output = z.object({ state: z.enum(["on", "off"]), rows: z.array(z.string()) });
    const rows: readonly string[] = [];
    action({ output, run: () => successResponse({ state: "on", rows }) });
    action({ output, run: async () => errorResponse("No") });
    action({
      output,
      run: () => (rows.length > 0 ? { state: "off", rows } : errorResponse("There are no rows")),
    });
    // @ts-expect-error a number is no state
    action({ output, run: () => successResponse({ state: 1, rows }) });
    // @ts-expect-error the rows are missing
    action({ output, run: () => successResponse({ state: "on" }) });
    // @ts-expect-error a text is no list
    action({ output, run: async () => successResponse({ state: "on", rows: "none" }) });
    action({ run: (): Envelope => successResponse({}) });
    action({ output: z.looseObject({}), run: (): Envelope => errorResponse("No") });
    defineTool({ name: "t", version: "1.0.0", description: "T", output, run: () => errorResponse("No") });
    expect(true).toBe(true);
  });

  it("of the payload can be given by a caller", async () => {
    const tool = defineTool({ name: "t", version: "1.0.0", description: "T", run: () => ({ n: 1 }) });
    const envelope = await createRegistry({ name: "x", version: "1", tools: [tool] }).call<{ n: number }>(
      "t",
    );
    if (envelope.success) expectTypeOf(envelope.data).toEqualTypeOf<{ n: number }>();
    expect(envelope.data).toEqual({ n: 1 });
  });
});
