import { validationError } from "@foundry-mcp/contract";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { PostgresOptions } from "./open-postgres.ts";

/** How the database that settings name is used. */
export function toDatabaseOptions(
  { values, origins }: LoadedSettings,
  isBrief: boolean,
  env: Readonly<Record<string, string | undefined>> = process.env,
): PostgresOptions {
  const { store, workspace, history, store_pool: pool, store_timeout: seconds } = values;
  return {
    url: store === "postgres" ? requireAddress(env["DATABASE_URL"]?.trim()) : store,
    workspace,
    keepRevisions: history,
    isBrief,
    // One command asks one thing after the other.
    poolSize: isBrief ? 1 : pool,
    timeoutMs: seconds * 1_000,
    isImplied: origins.store === "DATABASE_URL",
  };
}

function requireAddress(url: string | undefined): string {
  if (url !== undefined && url !== "") return url;
  throw validationError(
    { field: "store", constraint: "required", expected: "DATABASE_URL" },
    {
      message: "Cannot use PostgreSQL: neither the setting store nor DATABASE_URL says which database",
      remediation: "Set DATABASE_URL, or say --store postgres://user@host/database.",
    },
  );
}
