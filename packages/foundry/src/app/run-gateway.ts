import { createHash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import {
  type ContractError,
  type Envelope,
  isContractError,
  type Success,
  successResponse,
  unavailable,
  validationError,
} from "@foundry-mcp/contract";
import { estimateTokens } from "@foundry-mcp/contract/budget";
import type { Logger } from "@foundry-mcp/toolkit";
import { toShellCommand } from "@foundry-mcp/toolkit/cli";
import { createWorkspaceFiles } from "@foundry-mcp/toolkit/files";
import { openStderrLogger, serveStdio } from "@foundry-mcp/toolkit/stdio";
import type { LoadedSettings } from "../config/load-settings.ts";
import { toCacheFolder, toUserSettingsFile } from "../config/user-folders.ts";
import { toCommandServer } from "../gateway/config/command-server.ts";
import { type GatewayConfig, parseGatewayConfig, plainConfig } from "../gateway/config/gateway-config.ts";
import { refuseBareWord } from "../gateway/config/refuse-bare-word.ts";
import { watchConfig } from "../gateway/config/watch-config.ts";
import { type ApprovalsFile, ApprovedTools } from "../gateway/drift/approved-tools.ts";
import { type ConfiguredServer, type Gateway, openGateway } from "../gateway/gateway.ts";
import { FileLoginStore } from "../gateway/login/file-login-store.ts";
import { runLogin } from "../gateway/login/run-login.ts";
import type { GatewayPlan } from "../gateway/plan/print-plan.ts";
import { RememberedLists } from "../gateway/upstream/remembered-lists.ts";
import { programName } from "../program/program-name.ts";
import { version } from "../program/version.ts";
import type { Environment } from "../servers/expand-variables.ts";
import { type McpServers, parseMcpServers } from "../servers/mcp-servers-file.ts";
import { readTextFile } from "../servers/read-text-file.ts";
import { openLoginPage } from "./browser/open-login.ts";
import { openGatewayStorage } from "./gateway-storage.ts";
import { listenWithSettings } from "./listen-with-settings.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import type { ToPortCommand } from "./port/taken-port.ts";
import { roles } from "./roles.ts";

/** The servers behind a gateway. The source is a file with several servers, or the command of one server. */
export interface GatewaySource {
  readonly config: string | undefined;
  readonly command: readonly string[];
}

/** Serves the servers of a source until the client disconnects or a signal ends the process. */
export async function runGateway(
  source: GatewaySource,
  loaded: LoadedSettings,
  { isHttp, toPortCommand }: { readonly isHttp: boolean; readonly toPortCommand: ToPortCommand },
): Promise<void> {
  const logger = await openStderrLogger(loaded.values.log_level);
  const gateway = await openSource(source, loaded, logger);
  if (!isHttp) return serveOverStdio(gateway, logger);
  const server = await listenWithSettings(gateway.registry, loaded, { logger, toPortCommand }).catch(
    async (thrown: unknown) => {
      await gateway.close();
      throw thrown;
    },
  );
  const end = async () => {
    await server.close();
    await gateway.close();
  };
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => void end().catch((err: unknown) => logger.error({ err }, "gateway end")));
  process.stderr.write(
    `The gateway serves MCP at ${server.url}/mcp\n  claude mcp add --transport http gateway ${server.url}/mcp\n`,
  );
}

/** Opens the gateway to the servers of a source. */
export async function openSource(
  source: GatewaySource,
  loaded: LoadedSettings,
  logger: Logger,
  { readsApprovals = true, isServed = true, beside }: SourceOptions = {},
): Promise<Gateway> {
  const { text, ...configuration } = await readSource(source, process.env);
  const { dialect, tier, max_tokens: maxTokens } = loaded.values;
  const storage = await openGatewayStorage(isServed ? loaded : withoutStore(loaded), logger, beside);
  const { archive, rateLimiter, sharedCounts } = storage;
  const gateway = openGateway({
    openLogin: (name, url) => openLogin(name, url, source.config),
    ...{ ...configuration, version, logger, dialect, tier, roles, maxTokens },
    remembered: await openRemembered(source),
    approved: readsApprovals ? await openApproved(source) : undefined,
    ...{ archive, rateLimiter, sharedCounts },
  });
  const { config: path } = source;
  const watch =
    path === undefined
      ? undefined
      : watchConfig(text, {
          logger,
          read: () => readTextFile(path, "the config"),
          use: (changed) => gateway.reconfigure(parseSource(changed, path, process.env)),
        });
  return Object.create(gateway, {
    close: {
      value: async () => {
        watch?.close();
        await gateway.close();
        await storage.close();
      },
    },
  }) as Gateway;
}

/** How a source is opened. */
interface SourceOptions {
  /** @default true */
  readonly readsApprovals?: boolean;
  /** False for a command that only lists tools, and therefore needs no database. @default true */
  readonly isServed?: boolean;
  /** The workspace of the specs that the same process serves. @default none */
  readonly beside?: OpenWorkspace;
}

function withoutStore(loaded: LoadedSettings): LoadedSettings {
  return { ...loaded, values: { ...loaded.values, store: "file" } };
}

/** Returns the file of the tools that were approved for a source; undefined if there is no home folder. */
function toApprovalsFile({ config, command }: GatewaySource): ApprovalsFile | undefined {
  const folder = toLoginFolder();
  if (folder === undefined) return undefined;
  const source = config === undefined ? JSON.stringify(command) : resolve(config);
  const hash = createHash("sha256").update(source).digest("hex").slice(0, 16);
  const files = createWorkspaceFiles({ root: folder, privateFolder: ".", isPersonal: true });
  return { path: join(folder, `gateway-approved-${hash}.json`), files };
}

async function openApproved(source: GatewaySource): Promise<ApprovedTools | undefined> {
  const file = toApprovalsFile(source);
  return file === undefined ? undefined : ApprovedTools.open(file);
}

/** Connects to every server of a source, and approves the definitions of all tools that the gateway would serve. */
export async function approveTools(
  source: GatewaySource,
  loaded: LoadedSettings,
): Promise<Success<{ readonly approved: readonly string[]; readonly missing: readonly string[] }>> {
  const file = toApprovalsFile(source);
  if (file === undefined) throw noHome();
  const gateway = await openSource(source, loaded, await openStderrLogger("silent"), {
    readsApprovals: false,
    isServed: false,
  });
  try {
    await gateway.started();
    const { upstreams } = gateway.status;
    const missing = upstreams.flatMap(({ name, state }) => (state === "ready" ? [] : [name]));
    // A server that cannot be reached keeps what was approved before.
    const tools = gateway.tools.filter(({ upstream }) => !missing.includes(upstream));
    await ApprovedTools.save(file, tools);
    return successResponse({ approved: tools.map(({ name }) => name), missing });
  } finally {
    await gateway.close();
  }
}

/** Opens the stored login at a server; the user logs in with a command. */
function openLogin(name: string, url: string, config: string | undefined): FileLoginStore | undefined {
  const folder = toLoginFolder();
  const command = toShellCommand([
    ...programName.split(" "),
    "gateway",
    "login",
    name,
    "--config",
    config ?? "",
  ]);
  // A server that is started by a command has no URL and needs no login, so the source is a config file.
  return folder === undefined ? undefined : new FileLoginStore(folder, url, `Log in with ${command}.`);
}

function toLoginFolder(): string | undefined {
  const settings = toUserSettingsFile(process.env);
  return settings === undefined ? undefined : dirname(settings);
}

/** Logs in at a server of a file, in the user's browser. */
export async function loginAtServer(
  name: string,
  file: string,
): Promise<Envelope<{ readonly server: string }>> {
  const text = await readTextFile(file, "the config");
  const target = parseMcpServers(text, { file, env: process.env }).toTarget(name);
  const rule = parseGatewayConfig(text, file).servers[name];
  const folder = toLoginFolder();
  if (folder === undefined) throw noHome();
  await runLogin({ name, target, rule, folder, env: process.env }, openLoginPage);
  return successResponse({ server: name });
}

function noHome(): ContractError {
  return unavailable("Cannot store the login: there is no home folder", {
    errorCode: "UNAVAILABLE",
    remediation: "Set HOME or XDG_CONFIG_HOME.",
  });
}

/**
 * Opens the tool lists that earlier processes stored in the user's cache folder; undefined if there is no home
 * folder.
 */
async function openRemembered({ config, command }: GatewaySource): Promise<RememberedLists | undefined> {
  const folder = toCacheFolder(process.env);
  if (folder === undefined) return undefined;
  const source = config === undefined ? JSON.stringify(command) : resolve(config);
  const hash = createHash("sha256").update(source).digest("hex");
  const files = createWorkspaceFiles({ root: folder, privateFolder: ".", isPersonal: true });
  return RememberedLists.open({ path: join(folder, `gateway-${hash.slice(0, 16)}.json`), files });
}

function serveOverStdio(gateway: Gateway, logger: Logger): void {
  const server = serveStdio(gateway.registry, { logger });
  let isEnding = false;
  const end = async () => {
    if (isEnding) process.exit(1);
    isEnding = true;
    try {
      // Running calls may still answer, because their clients may be waiting for the last answer.
      await withinGrace(gateway.registry.idle());
      await server.close();
      // A database that stopped answering must not keep the process alive.
      await withinGrace(gateway.close());
    } catch (err) {
      logger.error({ err }, "gateway end");
    }
    process.exit(0);
  };
  process.stdin.once("end", () => void end());
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => void end());
  // Without this message, a person who types only the command would see no output.
  if (process.stdin.isTTY)
    process.stderr.write(
      "The gateway serves MCP over stdio, for a client. Ctrl-C ends; --http serves HTTP.\n",
    );
}

const graceMs = 10_000;

async function withinGrace(promise: Promise<void>): Promise<void> {
  await Promise.race([promise, new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
}

/** Connects to the servers of a source, and returns what a gateway would serve. */
export async function planGateway(
  source: GatewaySource,
  loaded: LoadedSettings,
): Promise<Envelope<GatewayPlan>> {
  const gateway = await openSource(source, loaded, await openStderrLogger("silent"), { isServed: false });
  try {
    await gateway.started();
    const { definitions } = gateway.registry;
    const listed = new Map(definitions.map((definition) => [definition.name, definition]));
    const tools = gateway.tools.map(({ name, upstream, definition, isHidden }) => ({
      name,
      upstream,
      ...(isHidden ? { found_by_search: true } : {}),
      tokens: countTokens(listed.get(name) ?? definition),
    }));
    const { upstreams, warnings } = gateway.status;
    return successResponse({ tools, tokens: countTokens(definitions), upstreams }, { warnings });
  } finally {
    await gateway.close();
  }
}

function countTokens(value: unknown): number {
  return estimateTokens(JSON.stringify(value), Number.POSITIVE_INFINITY);
}

async function readSource(
  { config: file, command }: GatewaySource,
  env: Environment,
): Promise<Configuration & { readonly text: string }> {
  const [program, ...args] = command;
  if ((file === undefined) === (program === undefined)) throw sourceError(file !== undefined);
  if (program !== undefined) {
    refuseBareWord(command, env);
    return { servers: [toCommandServer([program, ...args], env)], config: plainConfig, text: "" };
  }
  const path = file ?? "";
  const text = await readTextFile(path, "the config");
  return { ...parseSource(text, path, env), text };
}

/** The servers of a source, and the rules for their tools. */
interface Configuration {
  readonly servers: readonly ConfiguredServer[];
  readonly config: GatewayConfig;
}

function parseSource(text: string, path: string, env: Environment): Configuration {
  const servers = parseMcpServers(text, { file: path, env });
  if (servers.names.length === 0) throw noServers(path);
  return {
    servers: servers.names.map((name) => ({ name, target: readTarget(servers, name) })),
    config: parseGatewayConfig(text, path),
  };
}

/**
 * Returns the target of a server, or the error of its entry. An invalid entry must not prevent the gateway from
 * serving the other servers.
 */
function readTarget(servers: McpServers, name: string): ConfiguredServer["target"] {
  try {
    return servers.toTarget(name);
  } catch (thrown) {
    if (isContractError(thrown)) return thrown;
    throw thrown;
  }
}

function sourceError(isBoth: boolean): ContractError {
  const remediation =
    "Write --config .mcp.json, or the command of one server behind --, as in gateway -- node server.js.";
  return validationError(
    { field: "config", constraint: isBoth ? "conflict" : "required" },
    {
      message: isBoth
        ? "The gateway takes a config or a command, and both are given"
        : "The gateway has no server: it takes a config or a command",
      remediation,
    },
  );
}

function noServers(file: string): ContractError {
  return validationError(
    { field: "config", constraint: "required" },
    {
      message: `The server file ${JSON.stringify(file)} defines no server`,
      remediation: `Define a server under mcpServers in ${JSON.stringify(file)}.`,
    },
  );
}
