import type { Envelope } from "@foundry-mcp/contract";
import { createCatalogue, isOn } from "../catalogue/catalogue.ts";
import type { PreparedTool } from "../catalogue/prepared-tool.ts";
import { type ToolDefinition, toDefinition } from "../catalogue/tool-definition.ts";
import type { Asker } from "../context/ask.ts";
import type { Call, Caller, Client, Progress, Surface } from "../context/call.ts";
import { silentLogger } from "../context/logger.ts";
import type { Principal, Role } from "../context/principal.ts";
import { includesRole } from "../context/roles.ts";
import type { Prompt } from "../define/prompt.ts";
import type { Resource } from "../define/resource.ts";
import type { Tool } from "../define/tool.ts";
import { toNeededRole } from "../dispatch/check-role.ts";
import { createCallSlots } from "../dispatch/concurrency.ts";
import { DeadlineTimer } from "../dispatch/deadline-timer.ts";
import { dispatch, type Outcome } from "../dispatch/dispatch.ts";
import type { DispatchDeps } from "../dispatch/dispatch-deps.ts";
import { type Change, createChangeFeed } from "./change-feed.ts";
import { type Compatibility, createTranslation, listCompatible } from "./compatibility.ts";
import { type AddKeys, createAddKeys } from "./compatible-keys.ts";
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
  /** The name and version of the calling client. @default `{ name: "in-process" }` */
  readonly client?: Client | undefined;
  /** The principal on whose behalf the client calls. @default the user of the local machine */
  readonly principal?: Principal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** A function that answers the questions of handlers in place of a client. @default questions are refused */
  readonly asker?: Asker | undefined;
}

/** The tools, prompts and resources of a server, and methods that call the tools. */
export interface Registry {
  readonly options: ResolvedOptions;
  readonly tools: readonly PreparedTool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  /** The tool definitions that clients receive, in the order of declaration. */
  readonly definitions: readonly ToolDefinition[];
  /** Calls a tool in process; never throws. */
  call<T extends object = Readonly<Record<string, unknown>>>(
    tool: string,
    args?: object,
    options?: CallOptions,
  ): Promise<Envelope<T>>;
  /**
   * Runs a call in the same way as the built-in surfaces. Use this method to implement a surface of your own.
   */
  dispatch(call: Call, caller: Caller): Promise<Outcome>;
  /**
   * The following methods add or remove a tool, prompt or resource while the server runs, and notify clients
   * that the list has changed. A client that connected before the first prompt was added does not see any
   * prompts; the same applies to resources.
   */
  addTool(tool: Tool): void;
  /** True for a tool that can be called under this name, even if it is not listed. */
  hasTool(name: string): boolean;
  /** Returns the tools that are listed on a surface, in the order of declaration. */
  listTools(surface: Surface): readonly PreparedTool[];
  /** Returns the names of the tools of which a caller of this surface and role may call at least one action. */
  listCallable(surface: Surface, role?: Role): readonly string[];
  removeTool(name: string): boolean;
  addPrompt(prompt: Prompt): void;
  removePrompt(name: string): boolean;
  addResource(resource: Resource): void;
  removeResource(address: string): boolean;
  /** Runs changes of the registry, and notifies clients once of each list that has changed. */
  batch(work: () => void): void;
  /** Notifies subscribed clients that the contents of a resource have changed. */
  resourceChanged(uri: string): void;
  /** Subscribes to changes; returns the function that unsubscribes. */
  onChange(listener: (change: Change) => void): () => void;
  /** Runs the health checks. */
  checkHealth(): Promise<HealthReport>;
  /** Resolves when no call is running or waiting. */
  idle(): Promise<void>;
  /** The numbers of calls that are running and waiting now. */
  readonly load: { readonly running: number; readonly waiting: number };
}

/**
 * Creates the registry of a server. Throws for a declaration that clients would refuse or that contradicts another
 * declaration.
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
    jobSlots: createCallSlots(jobConcurrency),
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
    addKeys: toAddKeys(options.compatibility),
  };
  const others = options.dialects.filter((dialect) => dialect !== options.dialect);
  const definitionOptions = { ...options, dialects: [options.dialect, ...others] };
  const definitions = new WeakMap<PreparedTool, ToolDefinition>();
  const define = (tool: PreparedTool): ToolDefinition => {
    const known = definitions.get(tool) ?? toDefinition(tool, definitionOptions);
    definitions.set(tool, known);
    return known;
  };
  /** The changes of the running batch; undefined outside of a batch. */
  let held: Set<"tools" | "prompts" | "resources"> | undefined;
  /** Publishes a change if something has changed. */
  const changed = (kind: "tools" | "prompts" | "resources", happened = true): boolean => {
    if (!happened) return false;
    if (held === undefined) changes.publish({ kind });
    else held.add(kind);
    return true;
  };

  const { compatibility } = options;
  const maxLimitOf = (tool: string, action: string) =>
    catalogue.tools.find(({ name }) => name === tool)?.findAction(action)?.definition.page?.max;
  const translate =
    compatibility === undefined ? (call: Call) => call : createTranslation(compatibility, maxLimitOf);

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
      // Returns a copy of the encoded response, so that the caller cannot change objects of the handler.
      return JSON.parse(json);
    },
    // The call of a job was translated when the job was created.
    dispatch: (call, caller) => dispatch(deps, caller.runsJob === true ? call : translate(call), caller),
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
    hasTool: (name) => catalogue.findTool(name) !== undefined,
    listTools: (surface) => catalogue.all.filter((tool) => tool.unlisted !== true && isOn(tool, surface)),
    listCallable: (surface, role = options.role) =>
      catalogue.all
        .filter((tool) => isOn(tool, surface))
        .filter((tool) =>
          [...tool.actions.values()].some((action) => {
            const needed = toNeededRole(options.roles, tool, action);
            return needed === undefined || includesRole(options.roles, role, needed);
          }),
        )
        .map(({ name }) => name),
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
    batch(work) {
      const outer = held;
      const kinds = outer ?? new Set();
      held = kinds;
      try {
        work();
      } finally {
        held = outer;
        if (outer === undefined) for (const kind of kinds) changes.publish({ kind });
      }
    },
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

/** The numbers of jobs that run concurrently and that wait, apart from the calls that somebody waits for. */
const jobConcurrency = { running: 32, waiting: 1_024 };

/**
 * True if all schemas of the tool exist already. A tool with lazy schemas is checked later, when it is first
 * listed or called.
 */
function hasEagerSchemas({ actions }: PreparedTool): boolean {
  return [...actions.values()].every(({ definition: { input, output } }) =>
    [input, output].every((schema) => typeof schema !== "function" || "~standard" in schema),
  );
}

function addressOf(resource: Resource): string {
  return resource.uri ?? resource.uriTemplate;
}

/**
 * Creates the function that adds the keys of another server's answers; undefined if no keys are added to any
 * answer.
 */
function toAddKeys({ answers = [], listed, isAnswered }: Partial<Compatibility> = {}): AddKeys | undefined {
  if (isAnswered === undefined) return listed === true ? createAddKeys(answers) : undefined;
  const add = createAddKeys(answers);
  return (tool, action, data) => (isAnswered() ? add(tool, action, data) : data);
}
