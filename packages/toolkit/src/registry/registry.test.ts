import {
  errorResponse,
  successResponse,
  toEnvelopeV1,
  toResponseV1,
  type WarningDetail,
} from "@foundry-mcp/contract";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { action } from "../define/action.ts";
import { definePrompt } from "../define/prompt.ts";
import { defineResource } from "../define/resource.ts";
import { defineTool, type Tool } from "../define/tool.ts";
import { createRegistry } from "./registry.ts";
import type { RegistryOptions } from "./registry-options.ts";

const run = () => ({});
const options = (tools: readonly Tool[], more: Partial<RegistryOptions> = {}): RegistryOptions => ({
  name: "test",
  version: "1.0.0",
  serverTool: false,
  tools,
  ...more,
});

const notes = defineTool({
  name: "notes",
  version: "2.1.0",
  title: "Notes",
  description: "Notes to read and write",
  actions: {
    get: action({
      description: "One note",
      input: z.object({
        id: z.string().describe("The note's id"),
        format: z.enum(["md", "text"]).optional(),
      }),
      output: z.object({ text: z.string() }),
      readOnly: true,
      run: () => ({ text: "" }),
    }),
    list: action({
      description: "All notes",
      output: z.object({ notes: z.array(z.string()) }),
      readOnly: true,
      page: { default: 10, max: 100 },
      run: () => ({ notes: [] }),
    }),
    remove: action({ input: z.object({ id: z.string() }), destructive: true, idempotent: true, run }),
  },
});

/** The parameters of every action. */
const maxTokens = {
  type: "integer",
  minimum: 0,
  description: "Maximum tokens of the answer; 0 for no limit",
};

describe("the definition of a tool", () => {
  it("is one flat object that says which action takes what", () => {
    const [definition] = createRegistry(options([notes])).definitions;
    expect(definition).toEqual({
      name: "notes",
      title: "Notes",
      description: "Notes to read and write",
      inputSchema: {
        type: "object",
        properties: {
          action: {
            type: "string",
            enum: ["get", "list", "remove"],
            description: "get: One note\nlist: All notes\nremove",
          },
          id: { type: "string", description: "[get, remove] The note's id" },
          format: { type: "string", enum: ["md", "text"], description: "[get]" },
          limit: {
            type: "integer",
            minimum: 1,
            maximum: 100,
            default: 10,
            description: "[list] Rows per page",
          },
          cursor: {
            type: "string",
            description: "[list] meta.pagination.cursor of the previous page; leave out for the first page",
          },
          max_tokens: maxTokens,
        },
        required: ["action"],
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        anyOf: [
          {
            type: "object",
            properties: {
              success: { type: "boolean" },
              data: { type: "object" },
              error: { type: ["string", "null"] },
              meta: {
                type: "object",
                properties: { version: { const: "response-v2" } },
                required: ["version"],
              },
            },
            required: ["success", "data", "error", "meta"],
            additionalProperties: false,
          },
          { type: "object", required: ["tier", "tool_id", "error", "data"] },
          { type: "object", required: ["success", "schema_version"] },
        ],
      },
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
      _meta: {
        "anthropic/maxResultSizeChars": 200_000,
        "foundry-mcp/actions": { readOnly: ["get", "list"], destructive: ["remove"] },
      },
    });
  });

  it("lists the hints of actions that its annotations do not give", () => {
    const toldOf = (...actions: readonly object[]) => {
      const named = Object.fromEntries(
        actions.map((hints, index) => [`a${index}`, action({ ...hints, run })]),
      );
      const tool = defineTool({ name: "hinted", version: "1.0.0", description: "Hinted", actions: named });
      const [definition] = createRegistry(options([tool])).definitions;
      return [definition?._meta["foundry-mcp/actions"], definition?.annotations];
    };
    const reading = { readOnlyHint: true, openWorldHint: false };
    const writing = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
    expect(toldOf({ readOnly: true }, { readOnly: true, idempotent: true })).toEqual([undefined, reading]);
    expect(toldOf({}, {})).toEqual([undefined, writing]);
    expect(toldOf({ readOnly: true }, {})).toEqual([{ readOnly: ["a0"] }, writing]);
    expect(toldOf({ readOnly: true }, { readOnly: true, openWorld: true })).toEqual([
      { openWorld: ["a1"] },
      { ...reading, openWorldHint: true },
    ]);
    expect(toldOf({ idempotent: true }, { readOnly: true })).toEqual([
      { readOnly: ["a1"] },
      { ...writing, idempotentHint: true },
    ]);
    expect(
      toldOf({ idempotent: true, destructive: true }, { readOnly: true }, { destructive: true }),
    ).toEqual([
      { readOnly: ["a1"], idempotent: ["a0"], destructive: ["a0", "a2"] },
      { ...writing, destructiveHint: true },
    ]);
    expect(toldOf({ destructive: true }, { destructive: true })).toEqual([
      undefined,
      { ...writing, destructiveHint: true },
    ]);
  });

  it("requires the parameters that every action requires", () => {
    const both = defineTool({
      name: "both",
      version: "1.0.0",
      description: "Both",
      actions: {
        a: action({ input: z.object({ id: z.string(), x: z.number() }), run }),
        b: action({ input: z.object({ id: z.string(), x: z.number().optional() }), run }),
      },
    });
    expect(createRegistry(options([both])).definitions[0]?.inputSchema["required"]).toEqual(["action", "id"]);
  });

  it("leaves out bounds in which actions differ", () => {
    const bounded = defineTool({
      name: "bounded",
      version: "1.0.0",
      description: "Bounded",
      actions: {
        a: action({ input: z.object({ n: z.number().min(1).max(5) }), run }),
        b: action({ input: z.object({ n: z.number().min(1).max(9) }), run }),
      },
    });
    const [definition] = createRegistry(options([bounded])).definitions;
    expect(definition?.inputSchema["properties"]).toMatchObject({ n: { type: "number", minimum: 1 } });
    expect(JSON.stringify(definition)).not.toContain("maximum");
  });

  it.each<[string, () => Tool, RegExp]>([
    [
      "one name with two types",
      () =>
        defineTool({
          name: "clash",
          version: "1.0.0",
          description: "Clash",
          actions: {
            a: action({ input: z.object({ id: z.string() }), run }),
            b: action({ input: z.object({ id: z.number() }), run }),
          },
        }),
      /parameter id has one type in a and another in b/,
    ],
    [
      "a parameter called action",
      () =>
        defineTool({
          name: "clash",
          version: "1.0.0",
          description: "Clash",
          actions: { a: action({ input: z.object({ action: z.string() }), run }) },
        }),
      /takes a parameter called action/,
    ],
    [
      "a list action with its own limit",
      () =>
        defineTool({
          name: "clash",
          version: "1.0.0",
          description: "Clash",
          input: z.object({ limit: z.number() }),
          page: { default: 1, max: 2 },
          run,
        }),
      /has its own parameter limit/,
    ],
    [
      "two actions of one name",
      () =>
        defineTool({
          name: "clash",
          version: "1.0.0",
          description: "Clash",
          actions: { add_note: action({ run }), b: action({ aliases: ["add-note"], run }) },
        }),
      /another action of clash is called add-note/,
    ],
    [
      "no action",
      () => defineTool({ name: "clash", version: "1.0.0", description: "Clash", actions: {} }),
      /it has no action/,
    ],
    [
      "a name that clients refuse",
      () => defineTool({ name: "no spaces", version: "1.0.0", description: "x", run }),
      /Cannot declare tool "no spaces"/,
    ],
    [
      "an input that is no object",
      () => defineTool({ name: "x", version: "1.0.0", description: "x", input: z.string() as never, run }),
      /must be an object of parameters/,
    ],
    [
      "an input that JSON Schema cannot tell",
      () =>
        defineTool({ name: "x", version: "1.0.0", description: "x", input: z.object({ d: z.date() }), run }),
      /has no JSON Schema/,
    ],
    [
      "a deadline of nothing",
      () => defineTool({ name: "x", version: "1.0.0", description: "x", timeoutMs: 0, run }),
      /its timeoutMs is 0, not a number above 0/,
    ],
    [
      "a page whose default is above its most",
      () =>
        defineTool({ name: "x", version: "1.0.0", description: "x", page: { default: 50, max: 10 }, run }),
      /default 50 and max 10, wanted whole numbers with 1 ≤ default ≤ max/,
    ],
    [
      "an action that does nothing",
      () => defineTool({ name: "x", version: "1.0.0", description: "x", actions: { a: {} as never } }),
      /it has no run/,
    ],
    [
      "an output that is no object",
      () =>
        defineTool({
          name: "x",
          version: "1.0.0",
          description: "x",
          output: z.array(z.string()) as never,
          run: run as never,
        }),
      /its output is of type "array", wanted an object/,
    ],
    [
      "an output that JSON Schema cannot tell",
      () =>
        defineTool({
          name: "x",
          version: "1.0.0",
          description: "x",
          output: z.object({ d: z.date() }),
          run: () => ({ d: new Date() }),
        }),
      /its output has no JSON Schema/,
    ],
    [
      "an alias of no parameter",
      () =>
        defineTool({ name: "x", version: "1.0.0", description: "x", parameterAliases: { old: "gone" }, run }),
      /alias old stands for no parameter/,
    ],
    [
      "an alias that clients could not send",
      () => defineTool({ name: "x", version: "1.0.0", description: "x", aliases: ["x y"], run }),
      /Cannot declare tool "x y"/,
    ],
    [
      "a bare shape for a schema",
      () =>
        defineTool({ name: "x", version: "1.0.0", description: "x", input: { p: z.string() } as never, run }),
      /It is not a Standard Schema: wrap a bare shape in z\.object/,
    ],
  ])("refuses %s", (_name, tool, message) => {
    expect(() => createRegistry(options([tool()]))).toThrow(message);
  });

  it("creates lazy schemas when they are first needed, and checks them then", () => {
    let made = 0;
    const lazy = defineTool({
      name: "lazy",
      version: "1.0.0",
      description: "Lazy",
      input: () => {
        made += 1;
        return z.object({ a: z.string() });
      },
      run,
    });
    const registry = createRegistry(options([lazy]));
    expect(made).toBe(0);
    expect(registry.definitions[0]?.inputSchema).toEqual({
      type: "object",
      properties: { a: { type: "string" }, max_tokens: maxTokens },
      required: ["a"],
      additionalProperties: false,
    });
    void registry.definitions;
    expect(made).toBe(1);
  });
});

describe("the output schema", () => {
  it("admits tuples by draft 07 too", () => {
    const place = defineTool({
      name: "place",
      version: "1.0.0",
      description: "Place",
      output: z.object({ at: z.tuple([z.number(), z.number()]), way: z.array(z.tuple([z.string()])) }),
      run: () => ({ at: [51.1, 1.3] as const, way: [["north"] as const] }),
    });
    const [definition] = createRegistry({ ...options([place]), dialect: "response-v2" }).definitions;
    const success = {
      success: true,
      data: { at: [51.1, 1.3], way: [["north"]] },
      error: null,
      meta: { version: "response-v2" },
    };
    for (const ajv of [new Ajv({ strict: false }), new Ajv2020({ strict: false })]) {
      expect(ajv.validate(definition?.outputSchema as object, success)).toBe(true);
    }
    expect(
      new Ajv2020({ strict: false }).validate(definition?.outputSchema as object, {
        ...success,
        data: { at: ["x"] },
      }),
    ).toBe(false);
  });

  const plain = defineTool({
    name: "plain",
    version: "1.0.0",
    description: "Plain",
    output: z.object({ tree: z.lazy((): z.ZodType => z.object({ kids: z.array(z.unknown()) })) }),
    run: () => ({ tree: { kids: [] } }),
  });
  const ajv = new Ajv2020({ strict: false });
  const meta = { requestId: "req_1", telemetry: { durationMs: 3 } };
  const success = successResponse({ tree: { kids: [1] } }, meta);
  const failure = errorResponse("No", { errorCode: "CONFLICT", details: { a: 1 }, ...meta });

  it.each([
    ["response-v2", success, failure],
    ["envelope-v1", toEnvelopeV1(success), toEnvelopeV1(failure)],
    ["response-v1", toResponseV1(success), toResponseV1(failure)],
  ] as const)("of %s admits success and failure, and has an object at its root", (dialect, good, bad) => {
    for (const outputDetail of ["full", "compact"] as const) {
      const [definition] = createRegistry(options([plain], { dialect, outputDetail })).definitions;
      expect(definition?.outputSchema?.["type"]).toBe("object");
      const admits = ajv.compile(definition?.outputSchema as object);
      expect([admits(good), admits(bad), admits({ hello: 1 })]).toEqual([true, true, false]);
    }
  });

  it("is any object where it is open, in every dialect", () => {
    for (const more of [{}, { dialect: "envelope-v1" }, { dialect: "response-v1" }] as const) {
      const [definition] = createRegistry(options([plain], { ...more, outputDetail: "open" })).definitions;
      expect(definition?.outputSchema).toEqual({ type: "object" });
    }
  });

  it("describes the payload where it is full", () => {
    const [definition] = createRegistry(options([plain])).definitions;
    const admits = ajv.compile(definition?.outputSchema as object);
    expect(admits(successResponse({ tree: { kids: "none" } }, meta))).toBe(false);
  });
});

describe("the registry", () => {
  it("refuses a name that is taken, as name or alias", () => {
    const alias = defineTool({ name: "other", version: "1.0.0", description: "x", aliases: ["notes"], run });
    expect(() => createRegistry(options([notes, alias]))).toThrow(/exists already: notes/);
    const registry = createRegistry(options([notes]));
    expect(() => registry.addTool(alias)).toThrow(/exists already: notes/);
    expect(registry.tools.map(({ name }) => name)).toEqual(["notes"]);
  });

  it("refuses a dialect that does not exist", () => {
    expect(() => createRegistry(options([], { dialect: "v3" as never }))).toThrow(
      /"v3" is none of response-v2/,
    );
  });

  it.each<[Partial<RegistryOptions>, RegExp]>([
    [{ timeoutMs: 0 }, /timeoutMs is 0, not a number from 1 up/],
    [{ timeoutMs: Number.NaN }, /timeoutMs is NaN/],
    [{ concurrency: { running: 0 } }, /concurrency\.running is 0/],
    [{ concurrency: { waiting: -1 } }, /concurrency\.waiting is -1/],
    [{ outputDetail: "brief" as never }, /outputDetail "brief" is none of full, compact, open/],
    [{ inputDetail: "compact" as never }, /inputDetail "compact" is none of full, brief/],
  ])("refuses the invalid options %j", (more, message) => {
    expect(() => createRegistry(options([], more))).toThrow(message);
  });

  it("treats an undefined option as not given", () => {
    const undefinedOnes = { timeoutMs: undefined, concurrency: { running: undefined } } as never;
    expect(createRegistry(options([], undefinedOnes)).options).toMatchObject({
      timeoutMs: 60_000,
      concurrency: { running: 256, waiting: 1_024 },
    });
  });

  it("changes while it runs, and notifies listeners", async () => {
    const registry = createRegistry(options([notes]));
    const heard: unknown[] = [];
    registry.onChange(() => {
      throw new Error("a listener of no use");
    });
    const stop = registry.onChange((change) => heard.push(change));
    const extra = defineTool({ name: "extra", version: "1.0.0", description: "x", run });
    registry.addTool(extra);
    expect((await registry.call("extra")).success).toBe(true);
    expect([registry.removeTool("extra"), registry.removeTool("extra")]).toEqual([true, false]);
    expect((await registry.call("extra")).data["error_code"]).toBe("NOT_FOUND");
    registry.addPrompt(definePrompt({ name: "p", render: () => "hi" }));
    registry.addResource(defineResource({ name: "r", uri: "x://r", read: () => "hi" }));
    registry.resourceChanged("x://r");
    expect([registry.removePrompt("p"), registry.removeResource("x://r")]).toEqual([true, true]);
    expect(heard).toEqual([
      { kind: "tools" },
      { kind: "tools" },
      { kind: "prompts" },
      { kind: "resources" },
      { kind: "resource", uri: "x://r" },
      { kind: "prompts" },
      { kind: "resources" },
    ]);
    stop();
    registry.resourceChanged("x://r");
    expect(heard).toHaveLength(7);
  });

  it("does not add a tool whose declaration contradicts itself", () => {
    const registry = createRegistry(options([]));
    const clash = defineTool({
      name: "clash",
      version: "1.0.0",
      description: "x",
      actions: {
        a: action({ input: z.object({ id: z.string() }), run }),
        b: action({ input: z.object({ id: z.number() }), run }),
      },
    });
    expect(() => registry.addTool(clash)).toThrow(/one type in a/);
    expect(registry.tools).toEqual([]);
  });
});

describe("the built-in tool `server`", () => {
  const registry = createRegistry({
    name: "demo",
    version: "3.0.0",
    tools: [notes],
    health: {
      disk: () => {},
      database: () => {
        throw new Error("postgres://user:secret@db/x is down");
      },
    },
    describe: () => ({ workspace: "here" }),
  });
  const ask = async (args: object) => (await registry.call("server", args)).data;

  it("lists the tools in pages", async () => {
    const first = await registry.call("server", { action: "tools", limit: 1 });
    expect(first.data).toEqual({
      tools: [
        {
          name: "notes",
          version: "2.1.0",
          description: "Notes to read and write",
          actions: ["get", "list", "remove"],
        },
      ],
    });
    const cursor = first.meta.pagination?.cursor;
    const second = await registry.call("server", { action: "tools", limit: 1, cursor });
    expect(second.data["tools"]).toMatchObject([{ name: "server" }]);
    expect(second.meta.pagination).toEqual({ cursor: null, has_more: false, total_count: 2, page_size: 1 });
  });

  it("describes the parameters and fields of a tool", async () => {
    expect(await ask({ action: "schema", tool: "notes", for_action: "remove" })).toEqual({
      tool: "notes",
      version: "2.1.0",
      actions: [
        {
          action: "remove",
          input: {
            type: "object",
            properties: { id: { type: "string" }, max_tokens: maxTokens },
            required: ["id"],
          },
          hints: { readOnly: false, idempotent: true, destructive: true, openWorld: false },
        },
      ],
    });
    expect(await ask({ action: "schema", tool: "note" })).toMatchObject({
      error_code: "NOT_FOUND",
      remediation: "Did you mean notes? Use one of: notes, server.",
    });
    expect(await ask({ action: "schema", tool: "notes", for_action: "x" })).toMatchObject({
      error_code: "NOT_FOUND",
    });
  });

  it("reports capabilities and settings", async () => {
    expect(await ask({ action: "capabilities" })).toMatchObject({
      response_contracts: ["response-v2", "envelope-v1", "response-v1"],
      protocol_versions: ["2025-06-18", "2025-11-25", "2026-07-28"],
      limits: { timeout_ms: 60_000, running: 256, waiting: 1_024, max_tokens: 20_000 },
    });
    expect(await ask({ action: "context" })).toEqual({
      server: { name: "demo", version: "3.0.0" },
      client: { name: "in-process" },
      principal: "local",
      role: "maintainer",
      tier: "community",
      surface: "in-process",
      request_id: expect.stringMatching(/^req_/),
      dialect: "response-v2",
      settings: {
        dialect: "response-v2",
        dialects: ["response-v2", "envelope-v1", "response-v1"],
        max_tokens: 20_000,
        timeout_ms: 60_000,
        concurrency: { running: 256, waiting: 1_024 },
        validate_output: true,
        input_detail: "full",
        output_detail: "full",
        max_result_size_chars: 200_000,
      },
      workspace: "here",
    });
  });

  it("survives a health check that throws synchronously", async () => {
    const unhandled: unknown[] = [];
    const hear = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", hear);
    await ask({ action: "health" });
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    process.off("unhandledRejection", hear);
    expect(unhandled).toEqual([]);
  });

  it("names the failed check, and not its message", async () => {
    const health = await ask({ action: "health" });
    expect(health).toMatchObject({
      status: "degraded",
      load: { running: 1, waiting: 0 },
      checks: [
        { name: "disk", ok: true },
        { name: "database", ok: false },
      ],
    });
    expect(JSON.stringify(health)).not.toContain("secret");
  });
});

describe("the warnings of a server", () => {
  it("are those that hold when a handler has run, on successes and failures", async () => {
    const seen: WarningDetail[] = [];
    const tool = defineTool({
      name: "notes",
      version: "1.0.0",
      description: "Notes",
      actions: {
        get: action({
          description: "One note",
          run: () => {
            seen.push({ code: "OLD_SETTING", severity: "warning", message: "Not used: color" });
            return {};
          },
        }),
        fail: action({
          description: "No note",
          run: () => {
            throw new Error("none");
          },
        }),
      },
    });
    const registry = createRegistry(options([tool], { warnings: () => seen }));
    const first = await registry.call("notes", { action: "get" });
    const second = await registry.call("notes", { action: "fail" });
    for (const { meta } of [first, second])
      expect([meta.warnings, meta.warning_details]).toEqual([["Not used: color"], [...seen]]);
  });
});
