import { validationError } from "@foundry-mcp/contract";

/** True for the address of a PostgreSQL database. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}

/** The parsed address of a database. */
export interface DatabaseAddress {
  /** The address as given, with any password: only for the driver. */
  readonly url: string;
  /** Host and database without credentials, for messages: `db.example.org/team`. */
  readonly name: string;
}

/**
 * An @ after the host part: the password contains an unescaped slash, question mark or hash, and parts of it would be
 * reported as host, port or database.
 */
const strayAt = /^[a-z]+:\/\/[^/?#]*[/?#].*@/is;

/** Parses the address of a database; the error for an invalid one does not quote it. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  if (!isDatabaseUrl(text)) throw unreadable("it does not begin with postgres://");
  if (strayAt.test(text)) throw unreadable("an @ stands behind the host");
  let parsed: URL;
  try {
    // For a Unix socket the host is empty here and given as a parameter.
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

/** False also if some % starts no escape: then the driver decodes none of them. */
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
