import { dirname, isAbsolute } from "node:path";
import { ContractError, validationError } from "@foundry-mcp/contract";
import { maskUrlPassword } from "@foundry-mcp/toolkit";
import { findKind } from "@foundry-mcp/toolkit/files";
import { confinePath } from "../config/confine-path.ts";
import { discoverSpecs, type SpecsRoot } from "../config/discover-specs.ts";
import type { LoadedSettings } from "../config/load-settings.ts";
import { isDatabaseUrl } from "../postgres/database-url.ts";
import { describeSelection, type StoreSelection } from "../postgres/store-selection.ts";
import { programName } from "../program/program-name.ts";
import type { PostgresOptions } from "./open-postgres.ts";

/** The storage location of a workspace, without secrets: a folder or a database. */
export type WorkspaceLocation =
  | { readonly specs_dir: string }
  | { readonly database: string; readonly workspace: string };

/** Returns the location at which the settings store the workspace. */
export function locateWorkspace(loaded: LoadedSettings, cwd: string): WorkspaceLocation {
  if (loaded.values.store === "file") return { specs_dir: requireSpecsFolder(loaded, cwd) };
  const { url, workspace } = toDatabaseOptions(loaded);
  return { database: maskUrlPassword(url), workspace };
}

/**
 * Returns the specs folder that the settings name, or the nearest specs folder. Throws a ContractError if there is
 * none.
 */
export function requireSpecsFolder(loaded: LoadedSettings, cwd: string): string {
  return requireSpecsRoot(loaded, cwd).root;
}

/**
 * Returns the specs folder like `requireSpecsFolder`, and the folder that links of the specs folder must not lead out
 * of. This condition also applies later, because a checkout can replace a folder by a link while a server uses it.
 */
export function requireSpecsRoot(loaded: LoadedSettings, cwd: string): SpecsRoot {
  const named = requireConfined(loaded);
  const { specs_dir: origin } = loaded.origins;
  if (named !== undefined)
    return {
      root: requireFolder(named, origin),
      boundary: isOfWorkspace(loaded) ? dirname(origin) : undefined,
    };
  const found = discoverSpecs(cwd);
  if (found !== undefined) return found;
  throw new ContractError("Cannot find specs: there is no folder called specs in this folder or above it", {
    errorCode: "NOT_FOUND",
    remediation: "Create a workspace with {1}, or name the folder with --specs-dir or FOUNDRY_SPECS_DIR.",
    remedy: [{ command: `${programName} init` }, { setting: "specs_dir" }],
    details: { resource_type: "workspace", resource_id: "specs" },
  });
}

/**
 * Returns the folder that a setting names. A path in a workspace's file is confined to that workspace again, because
 * a checkout can replace the folder by a link between the start of a server and its first call.
 */
export function requireConfined(loaded: LoadedSettings): string | undefined {
  const { values, origins, userFile } = loaded;
  const { specs_dir: value } = values;
  return value !== undefined && isOfWorkspace(loaded)
    ? confinePath({ name: "specs_dir", value, file: origins.specs_dir, userFile })
    : value;
}

/** Returns true if the specs folder is named in a workspace's file. */
function isOfWorkspace({ origins, userFile }: LoadedSettings): boolean {
  return isAbsolute(origins.specs_dir) && origins.specs_dir !== userFile;
}

/** Requires that a named folder exists, because a mistyped path would look like a workspace without specs. */
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

/** Selects the database to open. */
export interface DatabaseChoice {
  /**
   * True for a process that runs one command. A process of one command needs only one database connection.
   * @default false
   */
  readonly isOneShot?: boolean;
  /** `postgres` or an address named by a command. @default the setting store */
  readonly store?: string;
  /** The option of the command that names the store. @default the origin of the setting store */
  readonly origin?: string;
}

/**
 * Returns the options to open a database. A database that a command names takes precedence over the database of the
 * settings.
 */
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

/**
 * Returns the address in DATABASE_URL. The variable does not select a store by itself, because other programs use the
 * variable too.
 */
function requireDatabaseUrl(selection: StoreSelection): string {
  const url = process.env["DATABASE_URL"]?.trim() ?? "";
  if (isDatabaseUrl(url)) return url;
  const fault = url === "" ? "is not set" : "is not an address of a PostgreSQL database";
  throw validationError(
    {
      field: "DATABASE_URL",
      constraint: url === "" ? "required" : "format",
      expected: "postgres://user@host/database",
    },
    {
      message: `Cannot use PostgreSQL, which ${describeSelection(selection)} selects: DATABASE_URL ${fault}`,
      remediation:
        "Set DATABASE_URL to postgres://user@host/database, or use --store postgres://user@host/database. To store specs in files, use --store file.",
    },
  );
}
