import { validationError } from "@foundry-mcp/contract";
import { isDatabaseUrl } from "../../text/database-url.ts";

/** Where a database is, as its address says. */
export interface DatabaseAddress {
  /** As it was given, with whatever password it holds: for the driver alone. */
  readonly url: string;
  /** What may be told of it: `db.example.org/team`. */
  readonly name: string;
}

/** Reads the address of a database; one that cannot be read is refused without repeating it. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  if (!isDatabaseUrl(text)) throw unreadable("it does not begin with postgres://");
  let parsed: URL;
  try {
    // A socket has a folder for a host, which only the parameters can say.
    parsed = new URL(text.replace(/^[a-z]+:\/\/([^/@]*@)?\//i, (start) => `${start.slice(0, -1)}socket/`));
  } catch {
    throw unreadable("it is no address");
  }
  const database = decode(parsed.pathname.slice(1)) || decode(parsed.username) || "postgres";
  const host = parsed.searchParams.get("host") ?? parsed.hostname;
  return { url: text, name: `${host === "socket" ? "" : host}${parsed.port && `:${parsed.port}`}/${database}` };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unreadable(why: string): Error {
  return validationError(
    { field: "store", constraint: "address", expected: "postgres://user@host/database" },
    {
      message: `Cannot use the address of the database: ${why}`,
      remediation:
        "Write it as postgres://user@host:5432/database, special characters of a password percent-encoded; or keep the password in PGPASSWORD or ~/.pgpass.",
    },
  );
}
