import { errorResponse, successResponse, type UnknownRecord } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { parseCalls } from "./calls/calls-file.ts";
import { checkServer, type ServerCheckOptions } from "./check-server.ts";
import type { CheckReport } from "./findings/check-report.ts";
import type { CheckTarget } from "./observe/session.ts";

interface Tool {
  readonly inputSchema: UnknownRecord;
  /** Returns the name of an invalid argument and the reason, or undefined if all arguments are valid. */
  refuse(args: UnknownRecord): readonly [name: string, why: string] | undefined;
  /** The whole result, which replaces the envelope. */
  readonly result?: UnknownRecord;
}

type Transport = Extract<ReturnType<CheckTarget["open"]>, { transport: unknown }>["transport"];

/** Creates a server in this process with one read-only tool, `probe`. */
function serve(tool: Tool): CheckTarget {
  const answer = (method: string, params: UnknownRecord): UnknownRecord | undefined => {
    if (method === "initialize")
      return {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "one", version: "1" },
      };
    if (method === "tools/list") {
      const { inputSchema } = tool;
      const annotations = { readOnlyHint: true };
      return { tools: [{ name: "probe", description: "Probes", annotations, inputSchema }] };
    }
    if (method !== "tools/call" || params["name"] !== "probe") return undefined;
    const requestId = (params["_meta"] as UnknownRecord)["foundry-mcp/request_id"] as string;
    const wrong = tool.refuse(params["arguments"] as UnknownRecord);
    if (wrong === undefined && tool.result !== undefined) return tool.result;
    const envelope =
      wrong === undefined
        ? successResponse({ found: 1 }, { requestId })
        : errorResponse(wrong[1], {
            errorCode: "VALIDATION_ERROR",
            details: { field: wrong[0], constraint: "schema" },
            requestId,
          });
    return {
      content: [{ type: "text", text: JSON.stringify(envelope) }],
      structuredContent: envelope,
      isError: !envelope.success,
    };
  };
  const open = () => {
    const transport: Transport = {
      start: async () => {},
      close: async () => transport.onclose?.(),
      async send(message) {
        if (!("method" in message) || !("id" in message)) return;
        const { id, method, params = {} } = message;
        const result = answer(method, params);
        const error = { code: -32602, message: "Unknown" };
        transport.onmessage?.({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) } as never);
      },
    };
    return { transport };
  };
  return { label: "one", open };
}

const object = (properties: UnknownRecord, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
/** Returns the first argument that one of the conditions refuses. Unknown arguments are also refused. */
const refuser =
  (takes: Readonly<Record<string, (value: unknown) => boolean>>) =>
  (args: UnknownRecord): readonly [string, string] | undefined => {
    const names = [...new Set([...Object.keys(takes), ...Object.keys(args)])];
    const wrong = names.find((name) => !(takes[name]?.(args[name]) ?? false));
    return wrong === undefined ? undefined : [wrong, `${wrong} is wrong`];
  };
const isText = (value: unknown) => typeof value === "string";
const check = (tool: Tool, options: ServerCheckOptions = {}) =>
  checkServer(serve(tool), { protocol: "legacy", ...options });
const calls = (file: object) => parseCalls(JSON.stringify(file), { file: "calls.json" });
/** Returns the findings of some rules, each with its rule and message. */
const foundIn = ({ findings }: CheckReport, ...rules: readonly string[]) =>
  findings.filter(({ rule }) => rules.includes(rule)).map(({ rule, message }) => [rule, message]);
const statusIn = ({ rules }: CheckReport, id: string) => rules.find(({ rule }) => rule === id)?.status;

describe("null", () => {
  it.each([
    [{ type: ["string", "null"] }],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }],
    [{ type: "string", nullable: true }],
    [{ $ref: "#/$defs/text", nullable: true }],
  ])("is good for a required argument that is %j", async (schema) => {
    const inputSchema = { ...object({ text: schema }), $defs: { text: { type: "string" } } };
    const refuse = refuser({ text: (value) => value === null || isText(value) });
    const report = await check({ inputSchema, refuse });
    expect(foundIn(report, "MCP-21", "MCP-22", "MCP-23")).toEqual([]);
    expect(statusIn(report, "MCP-23")).toBe("not_applicable");
  });

  it("may be refused for an optional argument that cannot be left out either", async () => {
    const inputSchema = object({ id: { type: "string" }, name: { type: "string" } }, []);
    const refuse = ({ id, name, ...rest }: UnknownRecord): readonly [string, string] | undefined => {
      const [other] = Object.keys(rest);
      if (other !== undefined) return [other, `${other} is unknown`];
      if ([id, name].some((each) => each !== undefined && each !== null && !isText(each)))
        return ["id", "id and name are texts"];
      return isText(id) === isText(name) ? ["id", "Give exactly one of id and name"] : undefined;
    };
    const file = calls({ calls: [{ tool: "probe", arguments: { id: "a" }, expect: "success" }] });
    for (const options of [{}, { calls: file }]) {
      const report = await check({ inputSchema, refuse }, options);
      expect(foundIn(report, "MCP-24")).toEqual([]);
      expect(report.tools).toEqual([expect.objectContaining({ tool: "probe", status: "checked" })]);
    }
  });

  it("is a finding if it is refused although the argument can be left out", async () => {
    const inputSchema = object({ id: { type: "string" } }, []);
    const refuse = refuser({ id: (value) => value === undefined || isText(value) });
    expect(foundIn(await check({ inputSchema, refuse }), "MCP-24")).toEqual([
      ["MCP-24", "id is optional, and null for it is refused"],
    ]);
  });
});

describe("an argument that the schema does not admit", () => {
  it.each([
    [{ type: "string" }, (value: unknown) => isText(value) || typeof value === "number", "a number"],
    [{ type: "boolean" }, (value: unknown) => typeof value === "boolean" || isText(value), "a text"],
    [{ enum: ["a", "b"] }, isText, "none of its values"],
    [{ type: "integer", minimum: 1 }, (value: unknown) => typeof value === "number", "0, below its minimum"],
    [{ type: "number", maximum: 5 }, (value: unknown) => typeof value === "number", "6, above its maximum"],
    [{ type: "array", items: { type: "string" } }, Array.isArray, "a list of what it does not take"],
  ])("is found where it is taken: %j", async (schema, takes, kind) => {
    const report = await check({ inputSchema: object({ it: schema }), refuse: refuser({ it: takes }) });
    expect(foundIn(report, "MCP-21", "MCP-22", "MCP-23")).toEqual([
      ["MCP-22", `the call succeeds although it is ${kind}`],
    ]);
  });

  it("is not tested with a limit out of range, which another rule covers", async () => {
    const inputSchema = object({ limit: { type: "integer", minimum: 1 } });
    const refuse = refuser({ limit: (value) => typeof value === "number" });
    expect(foundIn(await check({ inputSchema, refuse }), "MCP-22")).toEqual([]);
  });
});

describe("an action", () => {
  it.each([
    ["of a list", { type: "string", enum: ["list", "count"] }],
    ["that is a free text", { type: "string" }],
  ])("%s is found to be left out, null and mistaken", async (_title, schema) => {
    const isKnown = (value: unknown) => !isText(value) || ["list", "count", "test"].includes(value as string);
    const report = await check({
      inputSchema: object({ action: schema }),
      refuse: refuser({ action: isKnown }),
    });
    const about = foundIn(report, "MCP-21", "MCP-22", "MCP-23", "MCP-26").map(([rule]) => rule);
    expect([...new Set(about)]).toEqual(["MCP-21", "MCP-22", "MCP-23"]);
  });
});

describe("a path in a failure", () => {
  const refuse = (args: UnknownRecord): readonly [string, string] | undefined =>
    Object.keys(args).length === 1 && isText(args["path"])
      ? undefined
      : ["path", "Send path as an absolute one: /home/me/notes/today.md"];

  it("is no leak if the tool definition mentions it", async () => {
    const told = { type: "string", description: "Absolute, /home/me/notes/today.md" };
    expect(foundIn(await check({ inputSchema: object({ path: told }), refuse }), "MCP-14")).toEqual([]);
    const { findings } = await check({ inputSchema: object({ path: { type: "string" } }), refuse });
    expect(findings.find(({ rule }) => rule === "MCP-14")).toMatchObject({
      message: "the failure tells a path of the machine",
      evidence: "/home/me/notes/today.md",
    });
  });
});

describe("calls of the calls file", () => {
  const tool: Tool = { inputSchema: object({ it: { type: "string" } }), refuse: refuser({ it: isText }) };
  const made = { tool: "probe", arguments: { it: "x" } };

  it("are refused before any call if a tool does not exist", async () => {
    let count = 0;
    const refuse = () => {
      count++;
      return undefined;
    };
    const file = calls({ calls: [made, { ...made, tool: "prob" }] });
    await expect(check({ ...tool, refuse }, { calls: file })).rejects.toThrow('calls[1].tool is "prob"');
    expect(count).toBe(0);
  });

  it("check nothing if they have no expectations", async () => {
    const report = await check(tool, { calls: calls({ calls: [made] }) });
    expect(statusIn(report, "MCP-20")).toBe("not_applicable");
    const expecting = await check(tool, { calls: calls({ calls: [{ ...made, expect: "success" }] }) });
    expect(statusIn(expecting, "MCP-20")).toBe("passed");
  });

  it("warn about values that no parameter takes", async () => {
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    await check(tool, { calls: calls({ values: { it: "x", other: "y" } }), onWarning });
    expect(warnings).toEqual(["values of the calls file that no tool has an argument for: other"]);
  });
});

it("reports an answer that is a task", async () => {
  const task = { task: { taskId: "t-1", status: "working" } };
  const report = await check({ inputSchema: object({}), refuse: refuser({}), result: task });
  expect(report.unchecked).toContainEqual({
    what: "probe",
    reason: "it answers with a task, not with an answer",
  });
});
