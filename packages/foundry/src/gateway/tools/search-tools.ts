import { isRecord, notFound, validationError } from "@foundry-mcp/contract";
import { type Call, defineTool, suggest, type Tool } from "@foundry-mcp/toolkit";
import { z } from "zod";
import type { ServedTool } from "./served-upstream.ts";
import { ToolIndex } from "./tool-index.ts";

/** The name of the tool that calls a tool that find_tools has found. */
export const callToolName = "call_tool";

/** Creates the tools find_tools and call_tool, with which clients find and call tools that are not in the list. */
export function createSearchTools(listTools: () => readonly ServedTool[]): readonly Tool[] {
  return [createFindTools(listTools), createCallTool(listTools)];
}

function createFindTools(listTools: () => readonly ServedTool[]): Tool {
  let known: { readonly key: string; readonly index: ToolIndex } | undefined;
  const indexOf = (): ToolIndex => {
    const tools = listTools().filter(({ isHidden }) => isHidden);
    const key = JSON.stringify(tools.map(({ name, definition }) => [name, definition.description]));
    if (known?.key !== key) known = { key, index: new ToolIndex(tools) };
    return known.index;
  };
  return defineTool({
    name: "find_tools",
    version: "1.0.0",
    description:
      "Find tools by what they do. The answer has the name and the input schema of each; call them with call_tool",
    input: () =>
      z.object({
        query: z.string().min(1).max(1_000).describe("Words that describe the task"),
        count: z.int().min(1).max(50).default(5).describe("Maximum number of tools"),
      }),
    output: () => z.object({ tools: z.array(z.looseObject({ name: z.string() })), searched: z.int() }),
    readOnly: true,
    run: ({ query, count }) => {
      const found = indexOf().search(query, count);
      return {
        tools: found.map(({ tool: { name, upstream, definition } }) => ({
          name,
          server: upstream,
          description: definition.description,
          input_schema: definition.inputSchema,
        })),
        searched: listTools().filter(({ isHidden }) => isHidden).length,
      };
    },
  });
}

/**
 * Creates the tool call_tool. Its handler only throws errors, because `unwrapCall` replaces every call with a valid
 * tool name before the handler runs.
 */
function createCallTool(listTools: () => readonly ServedTool[]): Tool {
  return defineTool({
    name: callToolName,
    version: "1.0.0",
    description: "Call a tool that find_tools has found",
    input: () =>
      z.object({
        name: z.string().min(1).describe("Name of the tool"),
        arguments: z
          .looseObject({})
          .optional()
          .describe("Arguments of the tool; limit, cursor and max_tokens belong here too"),
      }),
    openWorld: true,
    run: ({ name }) => {
      if (name === callToolName)
        throw validationError({ field: "name", constraint: "enum", message: "call_tool cannot call itself" });
      const names = listTools().map((tool) => tool.name);
      throw notFound("tool", name, { remediation: suggest(name, names), details: { field: "name" } });
    },
  });
}

/**
 * Replaces a call of call_tool with a call of the named tool, so that the role, limits, budget and log line of the
 * named tool apply.
 */
export function unwrapCall(call: Call, isServed: (name: string) => boolean): Call {
  if (call.tool !== callToolName || !isRecord(call.args)) return call;
  const { name, arguments: args = {} } = call.args;
  if (typeof name !== "string" || name === callToolName || !isServed(name)) return call;
  return { ...call, tool: name, args };
}
