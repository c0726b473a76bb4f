import { ContractError, validationError } from "@foundry-mcp/contract";
import { maskUrlPassword } from "@foundry-mcp/toolkit";
import { findUpwards } from "../config/find-upwards.ts";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { PostgresOptions } from "./open-postgres.ts";

/** Where a workspace is stored, without secrets: in a folder, or in a database. */
export type WorkspaceLocation =
  | { readonly specs_dir: string }
  | { readonly database: string; readonly workspace: string };

/** Returns where the settings store the workspace. */
export function locateWorkspace(loaded: LoadedSettings, cwd: string): WorkspaceLocation {
  if (loaded.values.store === "file") return { specs_dir: requireSpecsFolder(loaded, cwd) };
  const { url, workspace } = toDatabaseOptions(loaded);
  return { database: maskUrlPassword(url), workspace };
}

/** Returns the specs folder that the settings name, or the nearest one; throws a ContractError where there is none. */
export function requireSpecsFolder({ values: { specs_dir: named } }: LoadedSettings, cwd: string): string {
  const folder = named ?? findUpwards(cwd, "specs", "folder");
  if (folder !== undefined) return folder;
  throw new ContractError("There are no specs here: no folder called specs is in this folder or above it", {
    errorCode: "NOT_FOUND",
    remediation:
      "Run foundry-cli init to make a workspace, or name the folder with --specs-dir or FOUNDRY_SPECS_DIR.",
    details: { resource_type: "workspace", resource_id: "specs" },
  });
}

/** Returns how to open the database that the settings name; a one-shot process needs one connection. */
export function toDatabaseOptions({ values, origins }: LoadedSettings, isOneShot = false): PostgresOptions {
  const { store, workspace, history, store_pool: pool, store_timeout: seconds } = values;
  return {
    url: store === "postgres" ? requireUrl(process.env["DATABASE_URL"]?.trim()) : store,
    workspace,
    keepRevisions: history,
    isOneShot,
    poolSize: isOneShot ? 1 : pool,
    timeoutMs: seconds * 1_000,
    isImplied: origins.store === "DATABASE_URL",
  };
}

function requireUrl(url: string | undefined): string {
  if (url !== undefined && url !== "") return url;
  throw validationError(
    { field: "store", constraint: "required", expected: "DATABASE_URL" },
    {
      message: "Cannot use PostgreSQL: neither the setting store nor DATABASE_URL says which database",
      remediation: "Set DATABASE_URL, or say --store postgres://user@host/database.",
    },
  );
}
