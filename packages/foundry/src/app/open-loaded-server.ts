import { type ContractError, isContractError } from "@foundry-mcp/contract";
import type { Logger } from "@foundry-mcp/toolkit";
import { openStderrLogger } from "@foundry-mcp/toolkit/stdio";
import type { LoadedSettings } from "../config/load-settings.ts";
import { toSettingWarning } from "../config/refused-setting.ts";
import { isNotSetUp } from "../postgres/not-set-up.ts";
import { resourceUrisOf } from "../specs/tools/spec-resources.ts";
import { createServerRegistry } from "./create-server-registry.ts";
import { type OpenWorkspace, openWorkspace, type WorkspaceOptions } from "./open-workspace.ts";
import type { OpenServer } from "./opened-server.ts";

/** An open server with its workspace, for the program that also serves the page. */
export interface LoadedServer extends OpenServer {
  readonly workspace: OpenWorkspace;
}

/** Opens a server whose settings are already loaded. If `setsUp` is true, migrates the schema of its database. */
export async function openLoadedServer(
  loaded: LoadedSettings,
  cwd: string,
  { setsUp = false }: Pick<WorkspaceOptions, "setsUp"> = {},
): Promise<LoadedServer> {
  const workspace = openWorkspace(async () => loaded, cwd, {
    setsUp,
    onChange: (id) => {
      for (const uri of resourceUrisOf(id)) registry.resourceChanged(uri);
    },
  });
  const logger = await openStderrLogger(loaded.values.log_level);
  for (const { message, context } of loaded.refused.map(toSettingWarning))
    logger.warn({ ...context }, message);
  const registry = await createServerRegistry(loaded, workspace, logger);
  if (loaded.values.store !== "file") await requireDatabase(workspace, logger);
  else await warnWithoutWorkspace(workspace, logger);
  return { registry, logger, workspace, close: () => workspace.close() };
}

/**
 * Warns if there is no workspace. The server starts nevertheless, because clients show the answer of a call but hide
 * why a process ended.
 */
async function warnWithoutWorkspace(workspace: OpenWorkspace, logger: Logger): Promise<void> {
  try {
    await workspace.location();
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    logger.warn({ code: thrown.code }, `${thrown.message}. ${thrown.remediation ?? ""}`);
  }
}

/**
 * Opens the database, so that a wrong setting causes an error at start. An unavailable database causes no error,
 * because it may become available again. A database that is not set up causes no error, because the first write sets
 * it up.
 */
export async function requireDatabase(workspace: OpenWorkspace, logger: Logger): Promise<void> {
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
