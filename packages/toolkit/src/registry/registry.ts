import type { Envelope } from "@foundry-mcp/contract";
import { createCatalogue } from "../catalogue/catalogue.ts";
import type { PreparedTool } from "../catalogue/prepared-tool.ts";
import { type ToolDefinition, toDefinition } from "../catalogue/tool-definition.ts";
import type { Asker } from "../context/ask.ts";
import type { Call, Caller, Client, Progress } from "../context/call.ts";
import { silentLogger } from "../context/logger.ts";
import type { Principal } from "../context/principal.ts";
import type { Prompt } from "../define/prompt.ts";
import type { Resource } from "../define/resource.ts";
import type { Tool } from "../define/tool.ts";
import { createCallSlots } from "../dispatch/concurrency.ts";
import { DeadlineTimer } from "../dispatch/deadline-timer.ts";
import { dispatch, type Outcome } from "../dispatch/dispatch.ts";
import type { DispatchDeps } from "../dispatch/dispatch-deps.ts";
import { type Change, createChangeFeed } from "./change-feed.ts";
import { createTranslation, listCompatible } from "./compatibility.ts";
import { createContentResource, createContentTool } from "./content/content-tool.ts";
import { type HealthReport, runHealthChecks } from "./health.ts";
import { createNamedList } from "./named-list.ts";
import { type RegistryOptions, type ResolvedOptions, resolveOptions } from "./registry-options.ts";
import { createServerTool } from "./server-tool.ts";

/** The options of a call in process. */
export interface CallOptions {
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** The client that calls. @default `{ name: "in-process" }` */
  readonly client?: Client | undefined;
  /** The principal for whom it calls. @default the person whose machine this is */
  readonly principal?: Principal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Answers the handler's questions in place of a client. @default questions are refused */
  readonly asker?: Asker | undefined;
}

/** Everything that a server offers, and the way to call it. */
export interface Registry {
  readonly options: ResolvedOptions;
  readonly tools: readonly PreparedTool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  /** The tools as clients see them, in the order in which they were declared. */
  readonly definitions: readonly ToolDefinition[];
  /** Calls a tool in process; never throws. */
  call<T extends object = Readonly<Record<string, unknown>>>(
    tool: string,
    args?: object,
    options?: CallOptions,
  ): Promise<Envelope<T>>;
  /** Runs a call as every surface does; for surfaces of your own. */
  dispatch(call: Call, caller: Caller): Promise<Outcome>;
  /**
   * Adds or removes while the server runs, and notifies clients that the list has changed. The first
   * prompt or resource is offered to clients that connect from then on.
   */
  addTool(tool: Tool): void;
  removeTool(name: string): boolean;
  addPrompt(prompt: Prompt): void;
  removePrompt(name: string): boolean;
  addResource(resource: Resource): void;
  removeResource(address: string): boolean;
  /** Notifies subscribed clients that the contents of a resource have changed. */
  resourceChanged(uri: string): void;
  /** Subscribes to changes; returns the function that unsubscribes. */
  onChange(listener: (change: Change) => void): () => void;
  /** Runs the health checks. */
  checkHealth(): Promise<HealthReport>;
  /** Resolves when no call is running or waiting. */
  idle(): Promise<void>;
  /** How many calls are running and waiting now. */
  readonly load: { readonly running: number; readonly waiting: number };
}

/**
 * Creates the registry of a server. Throws for a declaration that clients would refuse or that
 * contradicts another.
 *
 * @example
 * const registry = createRegistry({ name: "notes", version: "1.0.0", tools: [notes] });
 * const envelope = await registry.call("notes", { action: "list" });
 */
export function createRegistry(given: RegistryOptions): Registry {
  const options = resolveOptions(given);
  const catalogue = createCatalogue(options.tools ?? [], options.roles);
  const prompts = createNamedList(options.prompts ?? [], "prompt", ({ name }) => name);
  const resources = createNamedList(options.resources ?? [], "resource", addressOf);
  const changes = createChangeFeed();
  const deps: DispatchDeps = {
    version: options.version,
    catalogue,
    slots: createCallSlots(options.concurrency),
    deadlineTimer: new DeadlineTimer(),
    logger: options.logger ?? silentLogger,
    dialect: options.dialect,
    dialects: options.dialects,
    roles: options.roles,
    role: options.role,
    tier: options.tier,
    budget: options.budget,
    flags: options.flags,
    rateLimiter: options.rateLimiter,
    timeoutMs: options.timeoutMs,
    validatesOutput: options.validateOutput,
    errors: options.errors,
    unserved: options.unserved,
    warnings: options.warnings,
  };
  const others = options.dialects.filter((dialect) => dialect !== options.dialect);
  const definitionOptions = { ...options, dialects: [options.dialect, ...others] };
  const definitions = new WeakMap<PreparedTool, ToolDefinition>();
  const define = (tool: PreparedTool): ToolDefinition => {
    const known = definitions.get(tool) ?? toDefinition(tool, definitionOptions);
    definitions.set(tool, known);
    return known;
  };
  /** Publishes a change if there was one. */
  const changed = (kind: "tools" | "prompts" | "resources", happened = true): boolean => {
    if (happened) changes.publish({ kind });
    return happened;
  };

  const { compatibility } = options;
  const translate = compatibility === undefined ? (call: Call) => call : createTranslation(compatibility);

  const registry: Registry = {
    options,
    get tools() {
      return catalogue.tools;
    },
    get resources() {
      return resources.items;
    },
    get prompts() {
      return prompts.items;
    },
    get definitions() {
      const listed = catalogue.tools.map(define);
      return compatibility?.listed === true ? listCompatible(listed, compatibility) : listed;
    },
    async call(tool, args = {}, given = {}) {
      const { requestId, timeoutMs, client, principal, signal, onProgress, asker } = given;
      const { json } = await dispatch(deps, translate({ tool, args, requestId, timeoutMs }), {
        surface: "in-process",
        client: client ?? { name: "in-process" },
        principal,
        signal,
        sendProgress: onProgress,
        asker,
      });
      // A copy of what other surfaces send, so that the caller cannot change objects of the handler.
      return JSON.parse(json);
    },
    dispatch: (call, caller) => dispatch(deps, translate(call), caller),
    addTool(tool) {
      const prepared = catalogue.add(tool);
      try {
        define(prepared);
      } catch (thrown) {
        catalogue.remove(tool.name);
        throw thrown;
      }
      changed("tools");
    },
    removeTool: (name) => changed("tools", catalogue.remove(name)),
    addPrompt(prompt) {
      prompts.add(prompt);
      changed("prompts");
    },
    removePrompt: (name) => changed("prompts", prompts.remove(name)),
    addResource(resource) {
      resources.add(resource);
      changed("resources");
    },
    removeResource: (address) => changed("resources", resources.remove(address)),
    resourceChanged: (uri) => changes.publish({ kind: "resource", uri }),
    onChange: (listener) => changes.subscribe(listener),
    checkHealth: () =>
      runHealthChecks(options.health ?? {}, (name, err) => deps.logger.error({ check: name, err }, "health")),
    idle: () => deps.slots.idle(),
    get load() {
      return { running: deps.slots.running, waiting: deps.slots.waiting };
    },
  };
  const { archive } = options.budget;
  if (options.contentTool && archive !== undefined) {
    catalogue.add(createContentTool(archive, options.budget.countTokens));
    resources.add(createContentResource(archive));
  }
  if (options.serverTool) catalogue.add(createServerTool(registry));
  for (const tool of catalogue.tools) if (hasEagerSchemas(tool)) define(tool);
  return registry;
}

/** Whether all schemas exist already; a tool with lazy schemas is checked when it is first listed or called. */
function hasEagerSchemas({ actions }: PreparedTool): boolean {
  return [...actions.values()].every(({ definition: { input, output } }) =>
    [input, output].every((schema) => typeof schema !== "function" || "~standard" in schema),
  );
}

function addressOf(resource: Resource): string {
  return resource.uri ?? resource.uriTemplate;
}
