import { z } from "zod";
import type { ToolDefinition } from "../catalogue/tool-definition.ts";
import type { ActionDefinition, AnyPayload, Payload } from "../define/action.ts";
import { defineTool, type ToolOptions } from "../define/tool.ts";
import type { Budget } from "../dispatch/dispatch-deps.ts";
import { createRegistry } from "../registry/registry.ts";
import type { RegistryOptions } from "../registry/registry-options.ts";
import type { JsonSchema, Schema } from "../schema/schema.ts";
import { createMcpHost, type McpHost } from "./create-mcp-server.ts";
import { McpCaller } from "./mcp-caller.ts";
import { answerToolCall } from "./tool-calls.ts";
import { toServer } from "./wrap-tool-context.ts";
import { registerOn, type ToolConfig, type ToolServer } from "./wrap-tool-server.ts";

/** A tool of an existing server: the options of `registerTool`, and the options that the contract adds. */
export type WrappedTool<I extends Schema, O extends Schema> = Omit<
  ActionDefinition<I, O>,
  "description" | "aliases" | "input" | "output" | "run"
> &
  Omit<ToolOptions, "name" | "version" | "aliases"> & {
    /** @default "1.0.0" */
    readonly version?: string | undefined;
    readonly inputSchema?: I | undefined;
    readonly outputSchema?: O | undefined;
  };

/**
 * The options of all wrapped tools of a server; only the options of the first `wrapTool` call on a server have an
 * effect.
 */
export type WrapOptions = Pick<
  RegistryOptions,
  | "concurrency"
  | "dialect"
  | "dialects"
  | "errors"
  | "flags"
  | "logger"
  | "outputDetail"
  | "rateLimiter"
  | "role"
  | "roles"
  | "tier"
  | "timeoutMs"
  | "validateOutput"
> & {
  /**
   * The token budget. The budget has no option for an archive, because an existing server has no tool that
   * reads archived content.
   * @default 20,000 tokens
   */
  readonly budget?: Partial<Pick<Budget, "maxTokens" | "countTokens">> | undefined;
};

const hosts = new WeakMap<ToolServer, McpHost>();

/**
 * Registers a tool that answers with envelopes on an existing McpServer of SDK 1.23 or newer, including 2.x.
 * Replace `server.registerTool(…)` with `wrapTool(server, …)`; the handler returns a payload or an envelope, or
 * throws.
 *
 * @example
 * wrapTool(server, "forecast", { description: "Weather of a city", inputSchema: z.object({ city: z.string() }) },
 *   async ({ city }) => ({ celsius: await lookUp(city) }));
 */
export function wrapTool<
  I extends Schema = Schema<object, Record<string, never>>,
  O extends Schema = AnyPayload,
  const R extends Payload<O> = Payload<O>,
  S extends ToolServer = ToolServer,
>(
  server: S,
  name: string,
  tool: WrappedTool<I, O>,
  run: ActionDefinition<I, O, R>["run"],
  options: WrapOptions = {},
): ReturnType<S["registerTool"]> {
  const host = hostOf(server, options);
  const { inputSchema, outputSchema, version = "1.0.0", ...rest } = tool;
  host.registry.addTool(
    defineTool<I, O, R>({ ...rest, name, version, input: inputSchema, output: outputSchema, run }),
  );
  try {
    const registered = registerOn(server, name, toConfig(host, name), (args, context) => {
      const era = context.mcpReq.envelope === undefined ? "legacy" : "modern";
      const caller = new McpCaller(host, toServer(server.server, context), context, era, undefined);
      return answerToolCall(host, { name, arguments: args }, context, caller);
    });
    const { remove } = registered;
    registered.remove = () => {
      host.registry.removeTool(name);
      remove();
    };
    return registered as ReturnType<S["registerTool"]>;
  } catch (thrown) {
    host.registry.removeTool(name);
    throw thrown;
  }
}

/** Returns the options of `registerTool` from the definition that the registry lists. */
function toConfig({ registry }: McpHost, name: string): ToolConfig {
  const definition = registry.definitions.find((known) => known.name === name) as ToolDefinition;
  const { title, description, inputSchema, outputSchema, annotations, _meta } = definition;
  return {
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: passThrough(inputSchema),
    ...(outputSchema === undefined ? {} : { outputSchema: passThrough(outputSchema) }),
    annotations,
    _meta: { ..._meta },
  };
}

function hostOf(server: ToolServer, options: WrapOptions): McpHost {
  const known = hosts.get(server);
  if (known !== undefined) return known;
  const registry = createRegistry({ name: "wrapped", version: "1.0.0", ...options, serverTool: false });
  const host = createMcpHost(registry, { surface: "stdio", logger: options.logger });
  hosts.set(server, host);
  return host;
}

/**
 * Creates a schema that describes the values but accepts any value. The SDK would answer invalid values with plain
 * text, so `dispatch` validates them instead and answers with an envelope. SDK 2.x treats the schema as a Standard
 * Schema, and SDK 1.x as a schema of zod 4.
 */
function passThrough(json: JsonSchema): object {
  const print = () => ({ ...json });
  const schema = z.looseObject({});
  schema._zod.toJSONSchema = print;
  const standard = {
    version: 1,
    vendor: "foundry-mcp",
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: print, output: print },
  };
  return Object.defineProperty(schema, "~standard", { value: standard });
}
