import { type ContractError, isContractError } from "@foundry-mcp/contract";
import type { Logger, Registry } from "@foundry-mcp/toolkit";
import { pino } from "pino";
import { type LoadedSettings, loadSettings } from "../config/load-settings.ts";
import { toSettingWarning } from "../config/refused-setting.ts";
import type { SettingName } from "../config/settings.ts";
import { isNotSetUp } from "../postgres/not-set-up.ts";
import { resourceUrisOf } from "../specs/tools/spec-resources.ts";
import { createServerRegistry } from "./create-server-registry.ts";
import { type OpenWorkspace, openWorkspace, type WorkspaceOptions } from "./open-workspace.ts";

/** Where the workspace of a server is looked for, and settings that override all others. */
export interface ServerOptions {
  /** @default the current folder */
  readonly cwd?: string | undefined;
  /** Settings by their names in `foundry.toml`, as text: `{ specs_dir: "plans", tools: "all" }`. */
  readonly settings?: Readonly<Partial<Record<SettingName, string>>> | undefined;
}

/** The tools, resources and prompts of a workspace, and the log that its settings describe. */
export interface OpenServer {
  readonly registry: Registry;
  readonly logger: Logger;
  close(): Promise<void>;
}

/**
 * Opens in this process what `foundry-mcp` serves; settings come from the options, the environment and
 * `foundry.toml`, as they do for the program. Where there is no workspace, every call fails with the remedy, until
 * there is one.
 *
 * @example
 * const { registry, close } = await openServer({ cwd: "/home/ann/project" });
 * const envelope = await registry.call("spec", { action: "list" });
 * await close();
 */
export async function openServer({ cwd = process.cwd(), settings }: ServerOptions = {}): Promise<OpenServer> {
  return openLoadedServer(await loadSettings({ options: settings, env: process.env, cwd }), cwd);
}

/** Opens a server whose settings were loaded before; one that `setsUp` brings the schema of its database up to date. */
export async function openLoadedServer(
  loaded: LoadedSettings,
  cwd: string,
  { setsUp = false }: Pick<WorkspaceOptions, "setsUp"> = {},
): Promise<OpenServer> {
  const workspace = openWorkspace(async () => loaded, cwd, {
    setsUp,
    onChange: (id) => {
      for (const uri of resourceUrisOf(id)) registry.resourceChanged(uri);
    },
  });
  const logger = pino({ level: loaded.values.log_level }, pino.destination({ dest: 2, sync: false }));
  for (const { message, context } of loaded.refused.map(toSettingWarning))
    logger.warn({ ...context }, message);
  const registry = await createServerRegistry(loaded, workspace, logger);
  if (loaded.values.store !== "file") await requireDatabase(workspace, logger);
  else await warnWithoutWorkspace(workspace, logger);
  return { registry, logger, close: () => workspace.close() };
}

/** A server of files starts without them: a client shows the answer of a call, and hides why a process ended. */
async function warnWithoutWorkspace(workspace: OpenWorkspace, logger: Logger): Promise<void> {
  try {
    await workspace.location();
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    logger.warn({ code: thrown.code }, `${thrown.message}. ${thrown.remediation ?? ""}`);
  }
}

/**
 * Opens the database, so that a wrong setting fails at start. One that is only unavailable may come back, and one that is
 * not set up yet is set up by the first write.
 */
async function requireDatabase(workspace: OpenWorkspace, logger: Logger): Promise<void> {
  try {
    await workspace.storage();
  } catch (thrown) {
    if (!isContractError(thrown) || !isTemporary(thrown)) throw thrown;
    logger.warn({ code: thrown.code }, `${thrown.message}; calls will try again`);
  }
}

function isTemporary(failure: ContractError): boolean {
  return isNotSetUp(failure) || ["UNAVAILABLE", "TIMEOUT", "RESOURCE_BUSY"].includes(failure.code);
}
