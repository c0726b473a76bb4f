import { type ContractError, dialects, isContractError } from "@foundry-mcp/contract";
import { estimateTokens } from "@foundry-mcp/contract/budget";
import { createRegistry, type Logger, type Registry, type RegistryOptions } from "@foundry-mcp/toolkit";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import { createMemoryJobs } from "@foundry-mcp/toolkit/jobs";
import type { ServerTarget } from "../servers/server-target.ts";
import type { GatewayConfig } from "./config/gateway-config.ts";
import { findUnusedRules } from "./config/unused-rules.ts";
import type { ApprovedTools } from "./drift/approved-tools.ts";
import type { FileLoginStore } from "./login/file-login-store.ts";
import { CallCounter } from "./observe/call-counts.ts";
import { createObservedRegistry } from "./observe/observed-registry.ts";
import type { SharedCounts } from "./observe/shared-counts.ts";
import { AnswerPager } from "./shape/page-answer.ts";
import { explainMissingTool, findOwner } from "./tools/missing-tools.ts";
import { OpenQuestions } from "./tools/open-questions.ts";
import { callToolName, createSearchTools, unwrapCall } from "./tools/search-tools.ts";
import { ServedNames } from "./tools/served-names.ts";
import { type ServedTool, ServedUpstream, type ServingDeps } from "./tools/served-upstream.ts";
import { createStatusTool, type GatewayStatus, type UpstreamReport } from "./tools/status-tool.ts";
import { describeApproval } from "./tools/withheld-tool.ts";
import { toUpstreamTarget } from "./upstream/open-target.ts";
import type { RememberedLists } from "./upstream/remembered-lists.ts";
import { StartQueue } from "./upstream/start-queue.ts";
import { Upstream } from "./upstream/upstream.ts";

/** A server of the configuration: its target, or the reason why its entry cannot be used. */
export interface ConfiguredServer {
  readonly name: string;
  readonly target: ServerTarget | ContractError;
}

/** The options of a gateway. */
export interface GatewayOptions
  extends Pick<RegistryOptions, "dialect" | "tier" | "role" | "roles" | "rateLimiter"> {
  readonly version: string;
  readonly servers: readonly ConfiguredServer[];
  readonly config: GatewayConfig;
  readonly archive: ContentArchive;
  /** The token budget of answers; 0 for no limit. */
  readonly maxTokens: number;
  readonly logger: Logger;
  /** Opens the login at a server with OAuth. @default no logins */
  readonly openLogin?: ((name: string, url: string) => FileLoginStore | undefined) | undefined;
  /** The definitions that somebody approved. @default none are compared */
  readonly approved?: ApprovedTools | undefined;
  /** The counts of other gateways. @default only the calls of this gateway are counted */
  readonly sharedCounts?: SharedCounts | undefined;
  /** The lists of earlier processes. @default none */
  readonly remembered?: RememberedLists | undefined;
}

/** Several servers behind one registry, which answers with envelopes. */
export interface Gateway {
  readonly registry: Registry;
  readonly tools: readonly ServedTool[];
  /** The state now, with the counts of other gateways as they were exchanged last. */
  readonly status: GatewayStatus;
  /** Returns the state after an exchange of counts with the other gateways. */
  readStatus(): Promise<GatewayStatus>;
  /** Resolves when the first attempt to connect to each server has ended. */
  started(): Promise<void>;
  /** Serves other servers, or the same ones by other rules; servers whose entries have not changed stay connected. */
  reconfigure(next: Pick<GatewayOptions, "servers" | "config">): Promise<void>;
  close(): Promise<void>;
}

const defaultTimeoutMs = 60_000;
const defaultConcurrency = 32;
/** The longest time that a list, or a call of an unknown tool, waits for servers that are starting. */
const maxStartWaitMs = 15_000;
/** The time between exchanges of counts with other gateways, and the time that a status waits for an exchange. */
const exchangeMs = 5_000;
const maxExchangeMs = 2_000;
/** The tools of the gateway itself, whose names no upstream may have. */
const ownTools = ["content", "gateway", "find_tools", callToolName];

/** Opens a gateway; its servers are connected in the background. */
export function openGateway(options: GatewayOptions): Gateway {
  const { logger, archive, remembered, sharedCounts } = options;
  let { config } = options;
  /** All servers of the configuration, also those that are not enabled. */
  let configured: readonly ConfiguredServer[] = [];
  let servers: readonly ConfiguredServer[] = [];
  /** The text by which a changed entry of a server is recognized. */
  const entries = new Map<string, string>();
  const upstreams = new Map<string, Upstream>();
  const served = new Map<string, ServedUpstream>();
  const invalid = new Map<string, ContractError>();
  const counter = new CallCounter();
  const questions = new OpenQuestions();
  /** The servers whose tools nobody has seen yet, so that a list waits for them. */
  const unknown = new Set<Upstream>();
  const queue = new StartQueue();
  const settled = async () => {
    await Promise.all([...upstreams.values()].map((upstream) => upstream.started));
  };
  const listed = async () => {
    await within(maxStartWaitMs, Promise.all([...unknown].map((upstream) => upstream.started)));
    // A list waits once: an upstream that is not there by then must not delay every list.
    unknown.clear();
  };
  const registry = createGatewayRegistry(options, {
    prepare: () => {
      queue.open();
      return unknown.size === 0 ? undefined : listed();
    },
    readStatus: () => readStatus(),
  });
  let hasWarned = false;
  const exchangeOnce = async () => {
    try {
      counter.others = (await sharedCounts?.exchange(counter.own)) ?? [];
      hasWarned = false;
    } catch (err) {
      // An exchange that fails every time, for example without the right to the table, must not fill the log.
      logger[hasWarned ? "debug" : "warn"]({ err }, "gateway counts");
      hasWarned = true;
    }
  };
  let exchanged: Promise<void> | undefined;
  /** Exchanges the counts. An exchange that is running is not started again, because a database may be slow. */
  const exchange = (): Promise<void> => {
    exchanged ??= exchangeOnce().finally(() => {
      exchanged = undefined;
    });
    return exchanged;
  };
  const readStatus = async () => {
    await within(maxExchangeMs, exchange());
    return toStatus();
  };
  const exchanging = sharedCounts && setInterval(exchange, exchangeMs).unref();
  const searchTools = createSearchTools(() => listTools());
  const deps: ServingDeps = {
    ...{ registry, logger, questions, approved: options.approved },
    get config() {
      return config;
    },
    get isPrefixed() {
      return servers.length !== 1;
    },
    pager: new AnswerPager(archive),
    toolNames: new ServedNames(ownTools),
    promptNames: new ServedNames([]),
  };
  const add = ({ name, target }: ConfiguredServer): Upstream | undefined => {
    if (isContractError(target)) {
      invalid.set(name, target);
      logger.warn({ upstream: name, reason: target.message }, "upstream not configured");
      return undefined;
    }
    const {
      timeout,
      concurrency = defaultConcurrency,
      questions: relaysQuestions = true,
    } = config.servers[name] ?? {};
    const upstream = new Upstream({
      ...{ name, logger, concurrency, relaysQuestions, version: options.version },
      target: toUpstreamTarget(target, (url) => options.openLogin?.(name, url)),
      timeoutMs: timeout === undefined ? defaultTimeoutMs : timeout * 1_000,
      onLists: (lists) => {
        items.update(lists);
        remembered?.set(name, target.label, lists);
      },
    });
    const items = new ServedUpstream(upstream, deps);
    upstreams.set(name, upstream);
    served.set(name, items);
    const lists = remembered?.find(name, target.label);
    if (lists === undefined) unknown.add(upstream);
    else items.update(lists);
    return upstream;
  };
  const remove = (name: string): Upstream | undefined => {
    const upstream = upstreams.get(name);
    served.get(name)?.update({ tools: [], prompts: [], resources: [] });
    for (const known of [upstreams, served, invalid, entries]) known.delete(name);
    if (upstream !== undefined) unknown.delete(upstream);
    return upstream;
  };
  /** Serves the servers of a configuration; a server whose entry has not changed stays connected. */
  const configure = (next: Pick<GatewayOptions, "servers" | "config">): readonly Upstream[] => {
    ({ config, servers: configured } = next);
    servers = configured.filter(({ name }) => config.servers[name]?.enabled !== false);
    const wanted = new Map(servers.map((server) => [server.name, toEntryText(server, config)]));
    const removed = [...entries].flatMap(([name, text]) => (wanted.get(name) === text ? [] : [remove(name)]));
    const isSearched = servers.some(
      ({ name }) => (config.servers[name]?.expose ?? config.expose) === "search",
    );
    for (const tool of searchTools) {
      if (!isSearched) registry.removeTool(tool.name);
      else if (!registry.hasTool(tool.name)) registry.addTool(tool);
    }
    // Rules may have changed for the tools of servers that stay.
    for (const items of served.values()) items.refresh();
    const added = servers.flatMap((server) => (entries.has(server.name) ? [] : (add(server) ?? [])));
    for (const [name, text] of wanted) entries.set(name, text);
    for (const upstream of added) {
      if (unknown.has(upstream)) upstream.start();
      else queue.add(upstream);
    }
    void settled().then(() => {
      for (const reason of toWarnings()) logger.warn({ reason }, "gateway configuration");
    });
    return removed.filter((upstream) => upstream !== undefined);
  };

  const toReport = (name: string): UpstreamReport => {
    const upstream = upstreams.get(name);
    const items = served.get(name);
    const counts = { tools: items?.tools.length ?? 0, denied: items?.denied ?? 0, ...counter.of(name) };
    if (upstream !== undefined) return { ...upstream.status, ...counts };
    const reason = invalid.get(name)?.message ?? "";
    return { name, label: "", state: "invalid", restarts: 0, breaker: "closed", reason, noise: 0, ...counts };
  };
  const listTools = () => servers.flatMap(({ name }) => served.get(name)?.tools ?? []);
  const toWarnings = () => {
    // A server that is not enabled is not asked, so its tools are not known either.
    const unlisted = configured.flatMap(({ name }) => (served.get(name)?.isListed === true ? [] : [name]));
    const tools = [...served.values()].flatMap(({ listed }) => listed);
    const drifted = [...served.values()].flatMap((items) =>
      items.drifted.map(({ name, approval }) => `${name}: ${describeApproval(approval)}`),
    );
    const unused = findUnusedRules(config, { servers: configured.map(({ name }) => name), tools, unlisted });
    return [...unused, ...drifted];
  };
  const toStatus = (): GatewayStatus => {
    const reports = servers.map(({ name }) => toReport(name));
    const saved = reports.reduce((sum, { chars_before, chars_after }) => sum + chars_before - chars_after, 0);
    const countTokens = (tools: readonly object[]) =>
      tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools), Number.POSITIVE_INFINITY);
    const hidden = listTools().flatMap((tool) => (tool.isHidden ? [tool.definition] : []));
    return {
      upstreams: reports,
      warnings: toWarnings(),
      tokens_saved: Math.max(0, Math.round(saved / charsPerToken)),
      definitions: { listed_tokens: countTokens(registry.definitions), hidden_tokens: countTokens(hidden) },
    };
  };
  // A tool is also called through call_tool if its server is not there, because then the answer says so.
  const isServed = (name: string) => {
    const owner = registry.hasTool(name) ? undefined : findOwner(name, missing);
    return owner === undefined ? registry.hasTool(name) : upstreams.get(owner)?.status.state !== "ready";
  };
  const missing = {
    ...{ registry, upstreams, invalid },
    get isPrefixed() {
      return deps.isPrefixed;
    },
    waitFor: (upstream: Upstream) => {
      if (upstream.status.state === "starting") upstream.start();
      return within(maxStartWaitMs, upstream.started);
    },
  };
  configure(options);
  return {
    registry: createObservedRegistry({
      ...{ registry, counter, logger },
      listNames: () => listTools().map(({ name }) => name),
      prepare: (call) => explainMissingTool(unwrapCall(call, isServed), missing),
    }),
    get tools() {
      return listTools();
    },
    get status() {
      return toStatus();
    },
    readStatus,
    started() {
      queue.startAll();
      return settled();
    },
    async reconfigure(next) {
      let removed: readonly Upstream[] = [];
      registry.batch(() => {
        removed = configure(next);
      });
      // Calls that are running at a removed server may still answer.
      await Promise.all(removed.map((upstream) => upstream.closeWhenIdle()));
    },
    async close() {
      questions.close();
      queue.close();
      await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
      clearInterval(exchanging);
      // An exchange that ended after the close would store the counts of this gateway again.
      const closeCounts = async () => {
        await exchanged;
        await sharedCounts?.close();
      };
      await within(
        maxExchangeMs,
        closeCounts().catch((err: unknown) => logger.debug({ err }, "gateway counts")),
      );
      await remembered?.close();
    },
  };
}

/** Returns the text that changes if the server must be connected again. */
function toEntryText({ name, target }: ConfiguredServer, { servers }: GatewayConfig): string {
  const { timeout, concurrency, questions } = servers[name] ?? {};
  const entry = isContractError(target) ? target.message : target;
  return JSON.stringify([entry, timeout, concurrency, questions]);
}

/** The mean number of characters of a token, for estimates of what was saved. */
const charsPerToken = 4;

function createGatewayRegistry(
  { version, logger, roles, role, tier, rateLimiter, dialect, maxTokens, archive }: GatewayOptions,
  {
    prepare,
    readStatus,
  }: Pick<RegistryOptions, "prepare"> & { readonly readStatus: () => Promise<GatewayStatus> },
): Registry {
  return createRegistry({
    ...{ version, logger, roles, role, tier, rateLimiter, dialect, dialects, prepare },
    name: "foundry-gateway",
    title: "Foundry gateway",
    outputDetail: "open",
    serverTool: false,
    announcesAll: true,
    // Each upstream has its own, lower limit, so that no upstream can take the slots of another one.
    concurrency: { running: 1_024, waiting: 4_096 },
    budget: { maxTokens, archive },
    jobs: createMemoryJobs(),
    tools: [createStatusTool(readStatus)],
  });
}

/** Waits for a promise, but not longer than a time. */
async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, end]);
  clearTimeout(timer);
}
