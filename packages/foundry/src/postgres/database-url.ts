import { validationError } from "@foundry-mcp/contract";

/** True for the address of a PostgreSQL database. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}

/** Where a database is, as its address says. */
export interface DatabaseAddress {
  /** As it was given, with whatever password it holds: for the driver alone. */
  readonly url: string;
  /** What may be told of it: `db.example.org/team`. */
  readonly name: string;
}

/**
 * An @ after what stands for the host: the password holds a slash, a question mark or a hash, and parts of it would be
 * told as host, port or database.
 */
const strayAt = /^[a-z]+:\/\/[^/?#]*[/?#].*@/is;

/** Reads the address of a database; one that cannot be read is refused without repeating it. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  if (!isDatabaseUrl(text)) throw unreadable("it does not begin with postgres://");
  if (strayAt.test(text)) throw unreadable("an @ stands behind the host");
  let parsed: URL;
  try {
    // A socket has a folder for a host, which only the parameters can say.
    parsed = new URL(text.replace(/^[a-z]+:\/\/([^/@]*@)?\//i, (start) => `${start.slice(0, -1)}socket/`));
  } catch {
    throw unreadable("it is no address");
  }
  if (isMisencoded(text, parsed)) throw unreadable("its percent-encoding is no UTF-8");
  const database = decode(parsed.pathname.slice(1)) || decode(parsed.username) || "postgres";
  const host = parsed.searchParams.get("host") ?? parsed.hostname;
  return {
    url: text,
    name: `${host === "socket" ? "" : host}${parsed.port && `:${parsed.port}`}/${database}`,
  };
}

/** Where some % begins no code, the driver takes all of them as they stand. */
function isMisencoded(text: string, { username, password, pathname }: URL): boolean {
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
