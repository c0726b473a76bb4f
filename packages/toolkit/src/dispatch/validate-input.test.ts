import type { Envelope } from "@foundry-mcp/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import { withJsonSchema } from "../schema/schema.ts";

const echo = { run: (input: unknown) => ({ input }) };
const registry = createRegistry({
  name: "test",
  version: "1.0.0",
  tools: [
    defineTool({
      name: "note",
      version: "1.0.0",
      description: "Notes",
      aliases: ["memo"],
      actions: {
        "add-note": action({
          input: z.object({
            title: z.string().min(2).max(5),
            count: z.int().optional(),
            kind: z.enum(["a", "b"]).default("a"),
            parent: z.string().nullable(),
            tags: z.array(z.object({ name: z.string() })).optional(),
          }),
          aliases: ["add"],
          parameterAliases: { heading: "title" },
          ...echo,
        }),
        none: action(echo),
        open: action({ input: z.looseObject({ x: z.number().optional() }), ...echo }),
      },
    }),
  ],
});

const call = (args: object) => registry.call("note", args);
const inputOf = async (args: object) => (await call(args)).data["input"];
const errorsOf = async (args: object) => {
  const { data } = (await call(args)) as Envelope<{ error_code: string; details: { errors?: unknown } }>;
  const { errors, ...first } = data.details as Record<string, unknown>;
  return { code: data.error_code, errors: errors ?? [first] };
};

describe("the input of an action", () => {
  it("reaches the handler as the schema parsed it", async () => {
    expect(await inputOf({ action: "add-note", title: "abc", parent: null })).toEqual({
      title: "abc",
      kind: "a",
      parent: null,
    });
  });

  it("is found under every name: tool, action and parameter aliases, snake_case for kebab-case", async () => {
    const wanted = await inputOf({ action: "add-note", title: "abc", parent: "p" });
    expect(await inputOf({ action: "add_note", heading: "abc", parent: "p" })).toEqual(wanted);
    expect(await inputOf({ action: "add", title: "abc", parent: "p" })).toEqual(wanted);
    const memo = await registry.call("memo", { action: "add", title: "abc", parent: "p" });
    expect(memo.data["input"]).toEqual(wanted);
  });

  it("takes null as absent, but for a required parameter that may be null", async () => {
    const args = {
      action: "add",
      title: "abc",
      count: null,
      kind: null,
      tags: null,
      parent: null,
      unknown: null,
    };
    expect(await inputOf(args)).toEqual({ title: "abc", kind: "a", parent: null });
    expect(await errorsOf({ action: "add", title: null, parent: null })).toEqual({
      code: "MISSING_REQUIRED",
      errors: [{ field: "title", constraint: "required", received: null }],
    });
  });

  it("is refused with all errors at once", async () => {
    const args = { action: "add", title: "toolong", count: "four", kind: "c", tags: [{ name: 1 }], titel: 1 };
    expect(await errorsOf(args)).toEqual({
      code: "VALIDATION_ERROR",
      errors: [
        { field: "title", constraint: "maximum", expected: "at most 5 characters", received: "toolong" },
        { field: "count", constraint: "type", expected: "a number", received: "four" },
        { field: "kind", constraint: "enum", expected: ["a", "b"], received: "c" },
        { field: "parent", constraint: "required", received: null },
        { field: "tags[0].name", constraint: "type", expected: "a string", received: 1 },
        {
          field: "titel",
          constraint: "unknown",
          message: 'note(action="add-note") takes no parameter "titel"; did you mean title?',
          expected: ["title", "kind", "tags", "count", "parent"],
        },
      ],
    });
  });

  it("is refused for unknown names at any depth, as for unknown parameters", async () => {
    const envelope = await call({
      action: "add",
      title: "abc",
      parent: null,
      tags: [{ name: "a" }, { Name: "b" }],
    });
    expect(envelope.error).toBe(
      'Validation failed: tags[1].name is required; note(action="add-note") takes no parameter "tags[1].Name"; did you mean name?',
    );
    expect(envelope.data).toEqual({
      error_code: "VALIDATION_ERROR",
      error_type: "validation",
      remediation:
        "Leave out or rename tags[1].Name. Did you mean name? Use one of: name. Correct also: tags[1].name.",
      details: {
        field: "tags[1].name",
        constraint: "required",
        received: null,
        errors: [
          { field: "tags[1].name", constraint: "required", received: null },
          {
            field: "tags[1].Name",
            constraint: "unknown",
            message: 'note(action="add-note") takes no parameter "tags[1].Name"; did you mean name?',
            expected: ["name"],
          },
        ],
      },
    });
  });

  it("is refused for unknown names of any Standard Schema, and once where the schema refuses them too", async () => {
    const json = {
      type: "object",
      properties: { at: { type: "object", properties: { x: { type: "number" } } } },
    };
    const byHand = withJsonSchema(
      { "~standard": { version: 1, vendor: "by-hand", validate: (value) => ({ value }) } },
      json,
    );
    const strict = z.object({ at: z.strictObject({ x: z.number().optional() }).optional() });
    for (const input of [byHand, strict]) {
      const tool = defineTool({ name: "point", version: "1.0.0", description: "Point", input, ...echo });
      const own = createRegistry({ name: "t", version: "1", tools: [tool] });
      expect((await own.call("point", { at: { x: null } })).data).toEqual({ input: { at: {} } });
      expect((await own.call("point", { at: { y: 2 } })).data["details"]).toEqual({
        field: "at.y",
        constraint: "unknown",
        expected: ["x"],
      });
    }
  });

  it("does not repeat a name that is no plain text of an argument that nests too deeply", async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 2_000; level++) deep = [deep];
    const envelope = await call({ action: "none", "eval( SECRET )\n": deep });
    expect(JSON.stringify(envelope)).not.toContain("SECRET");
    expect(envelope).toMatchObject({ success: false, data: { details: { constraint: "max_depth" } } });
  });

  it("refuses a number that JSON cannot represent, at any depth", async () => {
    const open = { action: "open", x: 1, extra: { list: [0, { deep: Number.NaN }] } };
    const envelope = await call(JSON.parse('{"action":"open","x":1,"extra":[{"y":-1e999}]}'));
    expect([envelope.error, envelope.data]).toEqual([
      "Validation failed: extra[0].y must be a number that JSON can represent",
      {
        error_code: "VALIDATION_ERROR",
        error_type: "validation",
        remediation: "Correct extra[0].y: it must be a number that JSON can represent.",
        details: {
          field: "extra[0].y",
          constraint: "finite",
          expected: "a number that JSON can represent",
        },
      },
    ]);
    expect((await errorsOf(open)).code).toBe("VALIDATION_ERROR");
    expect((await errorsOf({ action: "open", x: Number.POSITIVE_INFINITY })).code).toBe("INVALID_FORMAT");
  });

  it("does not repeat an unknown name that is no plain text", async () => {
    const envelope = await call({ action: "none", "a\nb": 1 });
    expect(envelope.error).toBe("Validation failed: string of 3 characters is not known");
    expect(envelope.data["remediation"]).toBe(
      "Leave out the unknown parameter: no parameters are taken here.",
    );
  });

  it("has one code where all errors are of one kind", async () => {
    expect((await errorsOf({ action: "add" })).code).toBe("MISSING_REQUIRED");
    expect((await errorsOf({ action: "add", title: 1, parent: 2 })).code).toBe("INVALID_FORMAT");
  });

  it("refuses a parameter that is given under two names", async () => {
    const envelope = await call({ action: "add", title: "abc", heading: "abd", parent: null });
    expect(envelope.data["details"]).toEqual({ field: "title", constraint: "duplicate" });
    expect(envelope.error).toContain("title is given twice, under two of its names with different values");
  });

  it("refuses any parameter of a closed schema, and none of an open one", async () => {
    const envelope = await call({ action: "none", x: 1 });
    expect(envelope.data["remediation"]).toBe("Leave out x: no parameters are taken here.");
    expect(await inputOf({ action: "open", x: 1, y: [2] })).toEqual({ x: 1, y: [2] });
  });

  it.each([[], "x", 4, true])("must be an object, not %j", async (args) => {
    const envelope = await registry.call("note", args as never);
    expect(envelope.data).toMatchObject({
      error_code: "INVALID_FORMAT",
      details: { field: "arguments", constraint: "type" },
    });
  });

  it("is refused with the list of actions where the action is missing or unknown", async () => {
    expect((await call({})).data).toMatchObject({
      error_code: "MISSING_REQUIRED",
      remediation: "Provide action. Use one of: add-note, none, open.",
    });
    expect((await call({ action: "ad-note" })).data).toMatchObject({
      error_code: "VALIDATION_ERROR",
      remediation: "Did you mean add-note? Use one of: add-note, none, open.",
    });
    expect((await call({ action: 7 })).data).toMatchObject({ error_code: "INVALID_FORMAT" });
  });

  it("is refused for an unknown action with the names of actions once, and with the tool that has it", async () => {
    const unknown = await call({ action: "ad-note" });
    expect(unknown).toMatchObject({
      error: "Validation failed: note has no such action",
      data: { details: { field: "action", constraint: "enum", received: "ad-note" } },
    });
    expect(JSON.stringify(unknown).split("none, open").length - 1).toBe(1);
    expect((await call({ action: "health" })).data["remediation"]).toBe(
      'Did you mean server(action="health")? note itself has: none, open, add-note.',
    );
  });

  it("cannot reach a prototype", async () => {
    const args = JSON.parse('{"action":"open","__proto__":{"polluted":true},"constructor":1}');
    expect(Object.getPrototypeOf(await inputOf(args))).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect((await call({ action: "none", constructor: 1, toString: 2 })).data["error_code"]).toBe(
      "VALIDATION_ERROR",
    );
  });

  it("is validated by any Standard Schema, also an asynchronous one", async () => {
    const even = withJsonSchema<{ n: number }, { n: number }>(
      {
        "~standard": {
          version: 1,
          vendor: "by-hand",
          validate: async (value) =>
            (value as { n: number }).n % 2 === 0
              ? { value: value as { n: number } }
              : { issues: [{ message: "must be even", path: [{ key: "n" }] }] },
        },
      },
      { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    );
    const tool = defineTool({ name: "even", version: "1.0.0", description: "Even", input: even, ...echo });
    const own = createRegistry({ name: "t", version: "1", tools: [tool] });
    expect((await own.call("even", { n: 2 })).data).toEqual({ input: { n: 2 } });
    expect((await own.call("even", { n: 3 })).data).toMatchObject({
      error_code: "VALIDATION_ERROR",
      details: { field: "n", constraint: "rule", received: 3 },
    });
  });

  it("never breaks the envelope, whatever is sent", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.anything()), async (args) => {
        const envelope = await call({ action: "add", ...args });
        expect(typeof envelope.success).toBe("boolean");
      }),
      { numRuns: 300 },
    );
  });
});
