import { ContractError, validationError } from "@foundry-mcp/contract";
import { programName } from "../program/program-name.ts";
import type { Database } from "./database.ts";

/** The pattern of valid workspace names. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Returns the number of a workspace. Fails with NOT_FOUND if there is no workspace with this name. */
export async function findWorkspace(database: Database, name: string): Promise<number> {
  const known = await find(database, name);
  if (known === undefined) throw await noWorkspace(database, name);
  return known;
}

/** Returns the number of a workspace. Adds the workspace if it does not exist. */
export async function addWorkspace(database: Database, name: string): Promise<number> {
  const known = await find(database, name);
  if (known !== undefined) return known;
  await database.query(`add the workspace "${name}"`, {
    text: "INSERT INTO foundry.workspace (name) VALUES ($1) ON CONFLICT (name) DO NOTHING",
    values: [name],
  });
  const added = await find(database, name);
  if (added === undefined) throw new Error(`The workspace "${name}" was removed right after it was added`);
  return added;
}

async function find(database: Database, name: string): Promise<number | undefined> {
  if (!pattern.test(name)) throw badName(name);
  const [row] = await database.query<{ readonly workspace: number }>(`find the workspace "${name}"`, {
    text: "SELECT workspace FROM foundry.workspace WHERE name = $1",
    values: [name],
  });
  return row?.workspace;
}

/** Fails unless the database uses UTF-8, because another encoding would lose characters. */
export async function requireUtf8(database: Database): Promise<void> {
  const [row] = await database.query<{ readonly encoding: string }>(`open the database ${database.name}`, {
    text: "SELECT current_setting('server_encoding') AS encoding",
  });
  if (row?.encoding === "UTF8") return;
  throw new ContractError(
    `Cannot keep specs in the database ${database.name}: its encoding is ${row?.encoding}, not UTF8`,
    {
      errorCode: "INVALID_STATE",
      remediation: "Create a database for them: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0.",
    },
  );
}

async function noWorkspace(database: Database, name: string): Promise<ContractError> {
  const rows = await database.query<{ readonly name: string }>("list the workspaces", {
    text: "SELECT name FROM foundry.workspace ORDER BY name LIMIT 20",
  });
  const names = rows.map((row) => row.name);
  const others = names.length === 0 ? "" : ` Or use an existing one with --workspace: ${names.join(", ")}.`;
  return new ContractError(`The database ${database.name} has no workspace "${name}"`, {
    errorCode: "NOT_FOUND",
    remediation: `Add its first spec, or run {1}, to create it.${others}`,
    remedy: { command: `${programName} init` },
    details: { resource_type: "workspace", resource_id: name, workspaces: names },
  });
}

function badName(name: string): ContractError {
  const shown = name.slice(0, 100).toWellFormed();
  return validationError(
    { field: "workspace", constraint: "pattern", expected: String(pattern), received: shown },
    {
      message: `Cannot use the workspace "${shown}": it must be letters, digits, dots, hyphens and underscores`,
      remediation: "Name the workspace with --workspace or FOUNDRY_WORKSPACE, such as my-team.",
    },
  );
}
