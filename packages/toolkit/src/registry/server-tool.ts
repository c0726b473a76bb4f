import { notFound } from "@foundry-mcp/contract";
import { z } from "zod";
import { type PreparedTool, toKey } from "../catalogue/prepared-tool.ts";
import type { Surface } from "../context/call.ts";
import { type Action, action } from "../define/action.ts";
import { defineTool, type Tool } from "../define/tool.ts";
import { withContractFlag } from "../flags/contract-flag.ts";
import { toInputJsonSchema } from "../schema/schema.ts";
import { suggest } from "../text/did-you-mean.ts";
import { compatibleActions, compatibleDescription } from "./compatibility.ts";
import { listJobs } from "./jobs-tool.ts";
import { negotiate } from "./negotiate.ts";
import type { Registry } from "./registry.ts";

const anyObject = () => z.looseObject({});
const flagReport = () =>
  z.object({
    name: z.string(),
    enabled: z.boolean(),
    reason: z.string().describe("Rule that decided"),
    state: z.enum(["experimental", "beta", "stable", "deprecated"]).optional(),
    description: z.string().optional(),
    owner: z.string().optional(),
    created_at: z.string().optional(),
    expires_at: z.string().optional(),
  });

/** Creates the built-in tool `server`, which reports the server's tools, flags, contracts and health. */
export function createServerTool(registry: Registry): Tool {
  const { jobs } = registry.options;
  return defineTool({
    name: "server",
    version: "1.0.0",
    description: "Describe this server",
    actions: {
      tools: action({
        examples: [{ title: "List all tools", args: {} }],
        description: "List tools and actions",
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
          return {
            tools: context.page.siblings(listTools(registry, context.surface), { id: ({ name }) => name }),
          };
        },
      }),
      schema: action({
        examples: [{ title: "Read the schema of a tool", args: { tool: "server" } }],
        description: "Get a tool's full schema",
        input: () =>
          z.object({
            tool: z.string().describe("Tool"),
            for_action: z.string().optional().describe("One action"),
          }),
        output: () => z.object({ tool: z.string(), version: z.string(), actions: z.array(anyObject()) }),
        readOnly: true,
        cli: {
          command: "server schema",
          arguments: ["tool", "for_action"],
          help: {
            summary: "Show the full schema of a tool or of one action",
            parameters: { tool: "Name of the tool", for_action: "Name of the action (default: all actions)" },
          },
        },
        run: ({ tool, for_action }, { surface }) =>
          describe(find(registry.listTools(surface), tool), for_action),
      }),
      capabilities: action({
        examples: [{ title: "See what the server can do", args: {} }],
        description: "List contracts, features and limits",
        output: () =>
          z.object({
            response_contracts: z.array(z.string()).describe("Dialects that clients may choose"),
            protocol_versions: z.array(z.string()).describe("Supported MCP revisions"),
            features: z.record(z.string(), z.boolean()),
            limits: z.record(z.string(), z.number()),
          }),
        readOnly: true,
        cli: { help: { summary: "List the dialects, MCP revisions, features and limits of the server" } },
        run: () => capabilitiesOf(registry),
      }),
      "capability-negotiate": action({
        examples: [
          {
            title: "Choose the second contract",
            args: { client_capabilities: { response_contract: ["v2"] } },
          },
        ],
        description: "Choose the response contract",
        input: () =>
          z.object({
            client_capabilities: z.looseObject({}).describe('Such as {response_contract: ["v2"]}'),
          }),
        output: () =>
          z.object({
            negotiated: z.record(z.string(), z.string()).describe("Values for later calls"),
            refused: z.record(z.string(), z.string()).describe("Refused capabilities with reasons"),
            holds_for: z.enum(["connection", "request"]).describe("Scope of the choice"),
          }),
        readOnly: true,
        idempotent: true,
        cli: {
          help: {
            summary: "Choose the dialect (format) of later answers",
            parameters: {
              client_capabilities:
                'Capabilities of the client, as a JSON object such as {"response_contract": ["v2"]}',
            },
          },
        },
        run: ({ client_capabilities }, context) => negotiate(registry.options, client_capabilities, context),
      }),
      flags: action({
        examples: [{ title: "See which features are on", args: {} }],
        description: "List feature flags",
        cli: { help: { summary: "List the feature flags and their values" } },
        output: () => z.object({ flags: z.array(flagReport()) }),
        readOnly: true,
        page: { default: 50, max: 500 },
        run: async (_input, context) => {
          const flags = withContractFlag((await registry.options.flags?.list(context.clientKey)) ?? []);
          return { flags: context.page.sorted(flags, { key: ({ name }) => [name] }) };
        },
      }),
      context: action({
        examples: [{ title: "See which settings are in force", args: {} }],
        description: "Show caller and settings",
        cli: { help: { summary: "Show the caller, and the settings in force" } },
        output: () =>
          z.looseObject({
            server: z.object({ name: z.string(), version: z.string() }),
            client: z.object({ name: z.string(), version: z.string().optional() }),
            principal: z.string().describe("Authenticated caller"),
            role: z.string(),
            tier: z.string(),
            surface: z.string().describe("Surface of this call"),
            request_id: z.string(),
            dialect: z.string().describe("Dialect of this answer"),
            settings: z.looseObject({}).describe("Settings in force"),
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
        examples: [{ title: "Check whether the server is ready", args: {} }],
        description: "Check readiness",
        output: () =>
          z.object({
            status: z.enum(["ok", "degraded"]),
            uptime_seconds: z.int().min(0),
            load: z.object({ running: z.int(), waiting: z.int() }).describe("Calls now"),
            checks: z.array(z.object({ name: z.string(), ok: z.boolean(), duration_ms: z.number() })),
          }),
        readOnly: true,
        cli: { help: { summary: "Check whether the server is ready" } },
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
      ...(jobs === undefined ? {} : { jobs: listJobs(jobs) }),
    },
  });
}

function find(tools: readonly PreparedTool[], name: string): PreparedTool {
  const key = toKey(name);
  const tool = tools.find((known) =>
    [known.name, ...(known.aliases ?? [])].some((each) => toKey(each) === key),
  );
  if (tool !== undefined) return tool;
  throw notFound("tool", name, {
    remediation: suggest(
      name,
      tools.map((known) => known.name),
    ),
  });
}

/**
 * Lists the tools. If the option `listed` of the compatibility is true, the list also contains the names of
 * another server's tools and actions.
 */
function listTools(registry: Registry, surface: Surface) {
  const tools = registry.listTools(surface);
  const { compatibility } = registry.options;
  const own = tools.map(summarize);
  if (compatibility?.listed !== true) return own;
  const actions = compatibleActions(compatibility);
  const known = new Set(tools.map(({ name }) => name));
  const others = [...actions].filter(([name]) => !known.has(name));
  return [
    ...own.map((tool) => {
      const all = new Set([...(tool.actions ?? []), ...(actions.get(tool.name) ?? [])]);
      return all.size === 0 ? tool : { ...tool, actions: [...all] };
    }),
    ...others.map(([name, names]) => ({
      ...{ name, version: "1.0.0", description: compatibleDescription },
      actions: names,
    })),
  ];
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
      ...(options.jobs === undefined ? {} : { tasks: true }),
    },
    limits: {
      timeout_ms: options.timeoutMs,
      running: options.concurrency.running,
      waiting: options.concurrency.waiting,
      max_tokens: options.budget.maxTokens,
    },
  };
}
