import { isContractError } from "@foundry-mcp/contract";
import type { Logger, Registry } from "@foundry-mcp/toolkit";
import { pino } from "pino";
import { type LoadedSettings, loadSettings } from "../config/load-settings.ts";
import type { SettingName } from "../config/settings.ts";
import { urisOf } from "../specs/tools/spec-resources.ts";
import { createServerRegistry } from "./create-server-registry.ts";
import { type OpenWorkspace, openWorkspace } from "./open-workspace.ts";

/** A server's tools and its log. */
export interface OpenServer {
  readonly registry: Registry;
  readonly logger: Logger;
  close(): Promise<void>;
}

/** Opens what a server of this process offers; ends the process with a message where it cannot. */
export async function openServer(flags: Partial<Record<SettingName, string>>): Promise<OpenServer> {
  try {
    return await openLoaded(
      await loadSettings({ flags, env: process.env, cwd: process.cwd() }),
      process.cwd(),
    );
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    process.stderr.write(`${thrown.message}\n${thrown.options.remediation ?? ""}\n`);
    process.exit(1);
  }
}

/** Opens what settings describe. */
export async function openLoaded(loaded: LoadedSettings, cwd: string): Promise<OpenServer> {
  const workspace = openWorkspace(async () => loaded, cwd, {
    onChange: (id) => {
      for (const uri of urisOf(id)) registry.resourceChanged(uri);
    },
  });
  const logger = pino({ level: loaded.values.log_level }, pino.destination({ dest: 2, sync: false }));
  const registry = await createServerRegistry(loaded, workspace, logger);
  if (loaded.values.store !== "file") await requireDatabase(workspace, logger);
  return { registry, logger, close: () => workspace.close() };
}

/** Opens the database, so that whoever starts a server hears at once what is wrong; one that is away may come back. */
async function requireDatabase(workspace: OpenWorkspace, logger: Logger): Promise<void> {
  try {
    await workspace.home();
  } catch (thrown) {
    if (!isContractError(thrown) || !isRetryable(thrown.code)) throw thrown;
    logger.warn({ code: thrown.code }, `${thrown.message}; calls will try again`);
  }
}

function isRetryable(code: string): boolean {
  return ["UNAVAILABLE", "TIMEOUT", "RESOURCE_BUSY"].includes(code);
}
