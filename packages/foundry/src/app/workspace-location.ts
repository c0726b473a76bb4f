import { isAbsolute } from "node:path";
import { ContractError, validationError } from "@foundry-mcp/contract";
import { maskUrlPassword } from "@foundry-mcp/toolkit";
import { findKind } from "@foundry-mcp/toolkit/files";
import { confinePath } from "../config/confine-path.ts";
import { discoverSpecs } from "../config/discover-specs.ts";
import type { LoadedSettings } from "../config/load-settings.ts";
import { isDatabaseUrl } from "../postgres/database-url.ts";
import { describeSelection, type StoreSelection } from "../postgres/store-selection.ts";
import { programName } from "../program/program-name.ts";
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
export function requireSpecsFolder(loaded: LoadedSettings, cwd: string): string {
  const named = requireConfined(loaded);
  if (named !== undefined) return requireFolder(named, loaded.origins.specs_dir);
  const found = discoverSpecs(cwd);
  if (found !== undefined) return found;
  throw new ContractError("There are no specs here: no folder called specs is in this folder or above it", {
    errorCode: "NOT_FOUND",
    remediation: "Create a workspace with {1}, or name the folder with --specs-dir or FOUNDRY_SPECS_DIR.",
    remedy: [{ command: `${programName} init` }, { setting: "specs_dir" }],
    details: { resource_type: "workspace", resource_id: "specs" },
  });
}

/**
 * Returns the folder that a setting names. One of a workspace's file is held to that workspace again, because a checkout
 * can put a link in its place between the start of a server and its first call.
 */
export function requireConfined({ values, origins, userFile }: LoadedSettings): string | undefined {
  const { specs_dir: value } = values;
  const { specs_dir: file } = origins;
  const isOfWorkspace = isAbsolute(file) && file !== userFile;
  return value !== undefined && isOfWorkspace
    ? confinePath({ name: "specs_dir", value, file, userFile })
    : value;
}

/** A folder that is named must exist: a mistyped path would look like a workspace without specs. */
function requireFolder(folder: string, origin: string): string {
  if (findKind(folder) === "folder") return folder;
  throw new ContractError(`Cannot use the specs folder "${folder}" of ${origin}: there is no such folder`, {
    errorCode: "NOT_FOUND",
    remediation: "Correct the path, or create the workspace there: {1}.",
    remedy: [
      { command: `${programName} init${isOption(origin) ? ` ${origin} ${folder}` : ""}` },
      { setting: "specs_dir" },
    ],
    details: { resource_type: "folder", resource_id: folder },
  });
}

function isOption(origin: string): boolean {
  return origin.startsWith("--");
}

/** Which database is opened, and how. */
export interface DatabaseChoice {
  /** True for a process that runs one command: it needs one connection. @default false */
  readonly isOneShot?: boolean;
  /** `postgres` or an address that a command names. @default the setting store */
  readonly store?: string;
  /** The option of the command that names it. @default the origin of the setting store */
  readonly origin?: string;
}

/** Returns how to open a database: the one that the settings select, or that a command names. */
export function toDatabaseOptions(
  { values, origins }: LoadedSettings,
  { isOneShot = false, store = values.store, origin = origins.store }: DatabaseChoice = {},
): PostgresOptions {
  const { workspace, history, store_pool: pool, store_timeout: seconds } = values;
  const selection = { origin, value: maskUrlPassword(store) };
  return {
    url: store === "postgres" ? requireDatabaseUrl(selection) : store,
    selection,
    workspace,
    keepRevisions: history,
    isOneShot,
    poolSize: isOneShot ? 1 : pool,
    timeoutMs: seconds * 1_000,
  };
}

/** DATABASE_URL says where the database is; it selects nothing, because other programs use the variable too. */
function requireDatabaseUrl(selection: StoreSelection): string {
  const url = process.env["DATABASE_URL"]?.trim() ?? "";
  if (isDatabaseUrl(url)) return url;
  const fault = url === "" ? "is not set" : "is no address of a PostgreSQL database";
  throw validationError(
    {
      field: "DATABASE_URL",
      constraint: url === "" ? "required" : "format",
      expected: "postgres://user@host/database",
    },
    {
      message: `Cannot use PostgreSQL, which ${describeSelection(selection)} selects: DATABASE_URL ${fault}`,
      remediation:
        "Set DATABASE_URL to postgres://user@host/database, or use --store postgres://user@host/database. To keep specs in files, use --store file.",
    },
  );
}
