import { ContractError } from "@foundry-mcp/contract";
import type { Database } from "./database.ts";

/** Refuses a database that holds tables of others and none of ours: it may be named for another program. */
export async function requireOwnDatabase(database: Database): Promise<void> {
  const [row] = await database.query<{ readonly tables: number }>("look at the database", {
    text: `SELECT count(*)::int AS tables FROM information_schema.tables
      WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`,
  });
  if (row === undefined || row.tables === 0) return;
  throw new ContractError(
    `DATABASE_URL names the database ${database.name}, which holds ${row.tables === 1 ? "a table" : `${row.tables} tables`} of others and none of Foundry`,
    {
      errorCode: "INVALID_STATE",
      remediation:
        "To keep specs there all the same, say so: --store postgres or FOUNDRY_STORE=postgres. To keep them in files: FOUNDRY_STORE=file.",
      details: { field: "store", tables: row.tables },
    },
  );
}
