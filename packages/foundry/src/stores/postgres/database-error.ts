import { type ErrorCode, isContractError, unavailable } from "@foundry-mcp/contract";

/** What a failure of the database means for the caller: the code, why, what to do, and when to try again. */
interface Meaning {
  readonly errorCode: ErrorCode;
  readonly why: string;
  readonly remediation: string;
  readonly retryAfterSeconds?: number;
}

const away: Meaning = {
  errorCode: "UNAVAILABLE",
  why: "the database cannot be reached",
  remediation:
    "Try again in a few seconds. If it stays away, look whether PostgreSQL runs and whether the address is right. A change may have been made: look before you repeat it, or repeat it with its idempotency_key.",
  retryAfterSeconds: 2,
};
const tooSlow: Meaning = {
  errorCode: "TIMEOUT",
  why: "the database took too long",
  remediation:
    "Try again in a few seconds. If it goes on, look for what slows the database down, or raise store_timeout.",
  retryAfterSeconds: 5,
};
const crowded: Meaning = {
  errorCode: "RESOURCE_BUSY",
  why: "the database takes no more connections",
  remediation: "Try again in a few seconds; raise max_connections of the database, or lower store_pool.",
  retryAfterSeconds: 2,
};
const noRight = (why: string): Meaning => ({
  errorCode: "FORBIDDEN",
  why,
  remediation:
    "Check user and password; a user who may create tables has to run foundry-cli store migrate once, and GRANT the others USAGE on the schema foundry and all rights on its tables.",
});

const meanings: Readonly<Record<string, Meaning>> = {
  "28P01": noRight("the database refuses the user or the password"),
  "28000": noRight("the database refuses the user"),
  "42501": noRight("the user lacks a right in the database"),
  "3D000": {
    errorCode: "NOT_FOUND",
    why: "there is no such database",
    remediation: "Create it, or correct the address.",
  },
  "25006": {
    errorCode: "UNAVAILABLE",
    why: "the database can only be read",
    remediation: "Use the address of the primary: this one is a standby, or was set to read-only.",
    retryAfterSeconds: 5,
  },
  "53100": {
    errorCode: "RESOURCE_EXHAUSTED",
    why: "the disk of the database is full",
    remediation: "Free space on the disk of the database, then try again.",
  },
  "53200": { ...crowded, errorCode: "RESOURCE_EXHAUSTED", why: "the database is out of memory" },
  "53300": crowded,
  "57014": tooSlow,
  "55P03": tooSlow,
  "25P03": tooSlow,
  "42P01": {
    errorCode: "UNAVAILABLE",
    why: "the database lacks a table of Foundry",
    remediation: "Run foundry-cli store migrate, then try again.",
  },
};

/** What the driver says without a code, by how it begins. */
const sayings: readonly (readonly [RegExp, Meaning])[] = [
  [/^Query read timeout/, tooSlow],
  [/^(timeout exceeded when trying to connect|timeout expired)/i, away],
  [/Connection terminated|Client has encountered a connection error|server conn crashed|not queryable/i, away],
  [/SASL|password must be a string/i, noRight("the database refuses the user or the password")],
];

/** Codes of Node for a database that is not there. */
const unreachable =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EACCES|ECONNABORTED)$/;

/**
 * The failure that callers see where the database failed. `deed` says what was to be done, such as `read the spec
 * "a"`. What the database itself says is kept to the log: it may hold addresses and values.
 */
export function toDatabaseError(err: unknown, deed: string): unknown {
  if (isContractError(err)) return err;
  const meaning = meaningOf(err);
  if (meaning === undefined) return err;
  const { errorCode, why, remediation, retryAfterSeconds } = meaning;
  const reason = sqlStateOf(err);
  return unavailable(`Cannot ${deed}: ${why}`, {
    errorCode,
    remediation,
    details: { dependency: "postgresql", ...(reason === "" ? {} : { reason }) },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause: err,
  });
}

/** True for a failure after which the same may succeed at once or in a moment. */
export function isPassing(err: unknown): boolean {
  return isCollision(err) || isConnectionLoss(err) || sqlStateOf(err) === "53300";
}

/** True where the database gave up one of several that were in each other's way. */
export function isCollision(err: unknown): boolean {
  return ["40001", "40P01"].includes(sqlStateOf(err));
}

/** True where the connection was lost, or none could be made. */
export function isConnectionLoss(err: unknown): boolean {
  return meaningOf(err) === away;
}

/** The code of a failure: five characters of SQL, or one of Node; empty where there is none. */
export function sqlStateOf(err: unknown): string {
  const { code } = (err ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}

function meaningOf(err: unknown): Meaning | undefined {
  if (isContractError(err)) return undefined;
  const code = sqlStateOf(err);
  if (/^08|^57P0[1235]$/.test(code) || unreachable.test(code)) return away;
  if (meanings[code] !== undefined) return meanings[code];
  // Several addresses of one name, and none of them answers.
  if (err instanceof AggregateError) return away;
  const said = err instanceof Error ? err.message : "";
  return sayings.find(([pattern]) => pattern.test(said))?.[1];
}
