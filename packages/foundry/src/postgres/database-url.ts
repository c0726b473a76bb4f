import { validationError } from "@foundry-mcp/contract";

/** True for the address of a PostgreSQL database. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}

/** The parsed address of a database. */
export interface DatabaseAddress {
  /** The address as configured, including any password. Only the driver may read it. */
  readonly url: string;
  /** The host and database without credentials, for messages: `db.example.org/team`. */
  readonly name: string;
}

/**
 * Matches an @ after the host part. Such an @ means that the password contains an unescaped slash, question mark or
 * hash, so parts of the password would be reported as host, port or database.
 */
const strayAt = /^[a-z]+:\/\/[^/?#]*[/?#].*@/is;

/** Parses the address of a database. The error for an invalid address does not quote the address. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  if (!isDatabaseUrl(text)) throw unreadable("it does not begin with postgres://");
  if (strayAt.test(text)) throw unreadable("there is an @ after the host");
  let parsed: URL;
  try {
    // For a Unix socket, the host in the address is empty and is passed as a parameter. An empty host is not a valid
    // URL, so a placeholder is inserted.
    parsed = new URL(text.replace(/^[a-z]+:\/\/([^/@]*@)?\//i, (start) => `${start.slice(0, -1)}socket/`));
  } catch {
    throw unreadable("it is no address");
  }
  if (hasInvalidEncoding(text, parsed)) throw unreadable("its percent-encoding is no UTF-8");
  const database = decode(parsed.pathname.slice(1)) || decode(parsed.username) || "postgres";
  const host = parsed.searchParams.get("host") ?? parsed.hostname;
  return {
    url: text,
    name: `${host === "socket" ? "" : host}${parsed.port && `:${parsed.port}`}/${database}`,
  };
}

/**
 * Returns true if an escape in the address cannot be decoded. Returns false if the address contains a space, or a %
 * that starts no escape, because the driver then decodes no escape.
 */
function hasInvalidEncoding(text: string, { username, password, pathname }: URL): boolean {
  if (/ |%(?![a-f0-9]{2})/i.test(text)) return false;
  try {
    decodeURIComponent(`${username}${password}${pathname}`);
    return false;
  } catch {
    return true;
  }
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
        "Write it as postgres://user@host:5432/database, special characters of user and password percent-encoded, such as %40 for @; or keep the password in PGPASSWORD or ~/.pgpass.",
    },
  );
}
