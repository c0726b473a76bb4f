import { notFound } from "@foundry-mcp/contract";
import { z } from "zod";
import { type PreparedTool, toKey } from "../catalogue/prepared-tool.ts";
import { type Action, action } from "../define/action.ts";
import { defineTool, type Tool } from "../define/tool.ts";
import { withContractFlag } from "../flags/contract-flag.ts";
import { toInputJsonSchema } from "../schema/schema.ts";
import { suggest } from "../text/did-you-mean.ts";
import { negotiate } from "./negotiate.ts";
import type { Registry } from "./registry.ts";

const anyObject = () => z.looseObject({});
const flagReport = () =>
  z.object({
    name: z.string(),
    enabled: z.boolean(),
    reason: z.string().describe("Which rule decided"),
    state: z.enum(["experimental", "beta", "stable", "deprecated"]).optional(),
    description: z.string().optional(),
    owner: z.string().optional(),
    created_at: z.string().optional(),
    expires_at: z.string().optional(),
  });

/** Creates the built-in tool that reports what a server offers and its health. */
export function createServerTool(registry: Registry): Tool {
  return defineTool({
    name: "server",
    version: "1.0.0",
    description: "Describe this server",
    actions: {
      tools: action({
        description: "List tools and their actions",
        output: () =>
          z.object({
            tools: z.array(
              z.object({
                name: z.string(),
                version: z.string(),
                description: z.string(),
                actions: z.array(z.string()).optional(),
              }),
            ),
          }),
        readOnly: true,
        page: { default: 50, max: 500 },
        run: (_input, context) => {
          const tools = context.page.siblings(registry.tools, { id: ({ name }) => name });
          return { tools: tools.map(summarize) };
        },
      }),
      schema: action({
        description: "Get the full schema of a tool",
        input: () =>
          z.object({
            tool: z.string().describe("Name of the tool"),
            for_action: z.string().optional().describe("Name of one action"),
          }),
        output: () => z.object({ tool: z.string(), version: z.string(), actions: z.array(anyObject()) }),
        readOnly: true,
        run: ({ tool, for_action }) => describe(find(registry, tool), for_action),
      }),
      capabilities: action({
        description: "List contracts and limits",
        output: () =>
          z.object({
            response_contracts: z.array(z.string()).describe("The dialects that answers may be in"),
            protocol_versions: z.array(z.string()).describe("The revisions of MCP that are served"),
            features: z.record(z.string(), z.boolean()),
            limits: z.record(z.string(), z.number()),
          }),
        readOnly: true,
        run: () => capabilitiesOf(registry),
      }),
      "capability-negotiate": action({
        description: "Choose the response contract",
        input: () =>
          z.object({
            client_capabilities: z.looseObject({}).describe('For example {response_contract: ["v2"]}'),
          }),
        output: () =>
          z.object({
            negotiated: z.record(z.string(), z.string()).describe("What is in force from the next call on"),
            refused: z.record(z.string(), z.string()).describe("What is not, and why"),
            holds_for: z.enum(["connection", "request"]).describe("For how long"),
          }),
        readOnly: true,
        idempotent: true,
        run: ({ client_capabilities }, context) => negotiate(registry.options, client_capabilities, context),
      }),
      flags: action({
        description: "List feature flags",
        output: () => z.object({ flags: z.array(flagReport()) }),
        readOnly: true,
        page: { default: 50, max: 500 },
        run: async (_input, context) => {
          const flags = withContractFlag((await registry.options.flags?.list(context.clientKey)) ?? []);
          return { flags: context.page.sorted(flags, { key: ({ name }) => [name] }) };
        },
      }),
      context: action({
        description: "Show caller and settings",
        output: () =>
          z.looseObject({
            server: z.object({ name: z.string(), version: z.string() }),
            client: z.object({ name: z.string(), version: z.string().optional() }),
            principal: z.string().describe("Who calls, as far as the server has made sure"),
            role: z.string(),
            tier: z.string(),
            surface: z.string().describe("How this call came in"),
            request_id: z.string(),
            dialect: z.string().describe("The form of this answer"),
            settings: z.looseObject({}).describe("What is in force"),
          }),
        readOnly: true,
        run: async (_input, { requestId, client, surface, principal, role, tier, dialect }) => ({
          server: { name: registry.options.name, version: registry.options.version },
          client,
          principal,
          role,
          tier,
          surface,
          request_id: requestId,
          dialect,
          settings: settingsOf(registry),
          ...(await registry.options.describe?.()),
        }),
      }),
      health: action({
        description: "Check readiness",
        output: () =>
          z.object({
            status: z.enum(["ok", "degraded"]),
            uptime_seconds: z.int().min(0),
            load: z.object({ running: z.int(), waiting: z.int() }).describe("Calls now"),
            checks: z.array(z.object({ name: z.string(), ok: z.boolean(), duration_ms: z.number() })),
          }),
        readOnly: true,
        run: async () => {
          const { isReady, checks } = await registry.checkHealth();
          return {
            status: isReady ? "ok" : "degraded",
            uptime_seconds: Math.floor(process.uptime()),
            load: registry.load,
            checks,
          };
        },
      }),
    },
  });
}

function find(registry: Registry, name: string): PreparedTool {
  const key = toKey(name);
  const tool = registry.tools.find((known) =>
    [known.name, ...(known.aliases ?? [])].some((each) => toKey(each) === key),
  );
  if (tool !== undefined) return tool;
  throw notFound("tool", name, {
    remediation: suggest(
      name,
      registry.tools.map((known) => known.name),
    ),
  });
}

function summarize(tool: PreparedTool) {
  const { name, version, description } = tool;
  return { name, version, description, ...(tool.isPlain ? {} : { actions: [...tool.actions.keys()] }) };
}

function describe(tool: PreparedTool, wanted: string | undefined) {
  const only = wanted === undefined ? undefined : tool.findAction(wanted);
  if (wanted !== undefined && only === undefined) {
    throw notFound("action", wanted, { remediation: suggest(wanted, [...tool.actions.keys()]) });
  }
  const actions = only === undefined ? [...tool.actions.values()] : [only];
  return {
    tool: tool.name,
    version: tool.version,
    actions: actions.map(({ name, definition, hints, input, output }) => ({
      ...(tool.isPlain ? {} : { action: name }),
      ...(definition.description === undefined ? {} : { description: definition.description }),
      input: input.json,
      ...(output === undefined ? {} : { output: toInputJsonSchema(output) }),
      hints,
      ...(definition.aliases === undefined ? {} : { aliases: definition.aliases }),
      ...(definition.parameterAliases === undefined
        ? {}
        : { parameter_aliases: definition.parameterAliases }),
      ...(definition.examples === undefined ? {} : { examples: definition.examples }),
      ...requirementsOf(tool, definition),
    })),
  };
}

/** The flag, the role, the tier and the features that an action requires. */
function requirementsOf(tool: PreparedTool, definition: Action) {
  const { flag = tool.flag, role = tool.role, tier = tool.tier, features } = definition;
  return {
    ...(flag === undefined ? {} : { flag }),
    ...(role === undefined ? {} : { role }),
    ...(tier === undefined ? {} : { tier }),
    ...(features === undefined ? {} : { features }),
  };
}

function settingsOf({ options }: Registry) {
  const { dialect, timeoutMs, concurrency, validateOutput, maxResultSizeChars } = options;
  return {
    dialect,
    dialects: options.dialects,
    max_tokens: options.budget.maxTokens,
    timeout_ms: timeoutMs,
    concurrency,
    validate_output: validateOutput,
    input_detail: options.inputDetail,
    output_detail: options.outputDetail,
    max_result_size_chars: maxResultSizeChars,
  };
}

function capabilitiesOf({ options }: Registry) {
  return {
    response_contracts: options.dialects,
    protocol_versions: ["2025-06-18", "2025-11-25", "2026-07-28"],
    features: {
      pagination: true,
      progress: true,
      cancellation: true,
      request_id: true,
      trace_context: true,
      output_validation: options.validateOutput,
      content_archive: options.budget.archive !== undefined,
      feature_flags: options.flags !== undefined,
      rate_limits: options.rateLimiter !== undefined,
    },
    limits: {
      timeout_ms: options.timeoutMs,
      running: options.concurrency.running,
      waiting: options.concurrency.waiting,
      max_tokens: options.budget.maxTokens,
    },
  };
}
