import type { ErrorCode, Remedy } from "@foundry-mcp/contract";
import { programName } from "../program/program-name.ts";

/** How a database error is reported: the error code, the reason, the remediation and the retry delay. */
export interface ErrorMapping {
  readonly errorCode: ErrorCode;
  readonly why: string;
  readonly remediation: string;
  readonly remedy?: Remedy;
  readonly retryAfterSeconds?: number;
}

/** The connection was lost or could not be established. */
export const unreachable: ErrorMapping = {
  errorCode: "UNAVAILABLE",
  why: "the database cannot be reached",
  remediation:
    "Try again in a few seconds. If the call fails again, check that PostgreSQL runs and that the address is right. A change may have been made: check before you repeat it, or repeat it with its {--idempotency_key}.",
  retryAfterSeconds: 2,
};
const tooSlow: ErrorMapping = {
  errorCode: "TIMEOUT",
  why: "the database took too long",
  remediation:
    "Try again in a few seconds. If the error occurs again, find out what slows the database down, or raise store_timeout.",
  retryAfterSeconds: 5,
};
const noResponse: ErrorMapping = {
  ...tooSlow,
  why: "the database did not answer in time",
  remediation: `${tooSlow.remediation} A change may have been made: check before you repeat it, or repeat it with its {--idempotency_key}.`,
};
const conflicted: ErrorMapping = {
  errorCode: "RESOURCE_BUSY",
  why: "other transactions changed the same rows each time",
  remediation: "Try again in a moment.",
  retryAfterSeconds: 1,
};
const failing: ErrorMapping = {
  errorCode: "UNAVAILABLE",
  why: "the database has a fault",
  remediation: "Fix what the log of PostgreSQL reports, then try again.",
  retryAfterSeconds: 30,
};
const noTables: ErrorMapping = {
  errorCode: "UNAVAILABLE",
  why: "the database lacks a table of Foundry",
  remediation: "Run {1}, then try again.",
  remedy: { command: `${programName} store migrate` },
};
const poolerUnsupported: ErrorMapping = {
  errorCode: "UNAVAILABLE",
  why: "the connection pooler in front of the database drops prepared statements",
  remediation:
    "Use the address of the database itself, or let the pooler keep sessions or prepared statements, then try again.",
};
/** The database is reachable, but not over a trusted encrypted connection. */
export const untrusted: ErrorMapping = {
  errorCode: "UNAVAILABLE",
  why: "the encrypted connection to the database cannot be trusted",
  remediation:
    "Check sslmode and sslrootcert in the address and the certificate of the database, then try again.",
};
const tooManyConnections: ErrorMapping = {
  errorCode: "RESOURCE_BUSY",
  why: "the database accepts no more connections",
  remediation: "Try again in a few seconds; raise max_connections of the database, or lower store_pool.",
  retryAfterSeconds: 2,
};
const noPermission = (why: string): ErrorMapping => ({
  errorCode: "FORBIDDEN",
  why,
  remediation:
    "Check the user and the password. A user who may create tables has to run {1} once, and to GRANT other users USAGE on the schema foundry and all rights on its tables.",
  remedy: { command: `${programName} store migrate` },
});

const mappings: Readonly<Record<string, ErrorMapping>> = {
  "28P01": noPermission("the database refuses the user or the password"),
  "28000": noPermission("the database refuses the user"),
  "42501": noPermission("the user lacks a right in the database"),
  "3D000": {
    errorCode: "NOT_FOUND",
    why: "there is no such database",
    remediation: "Create it, or correct the address.",
  },
  "25006": {
    errorCode: "UNAVAILABLE",
    why: "the database is read-only",
    remediation:
      "Try again in a few seconds. If the error occurs again, use the address of the primary: this database is a standby or is set to read-only.",
    retryAfterSeconds: 5,
  },
  "53100": {
    errorCode: "RESOURCE_EXHAUSTED",
    why: "the disk of the database is full",
    remediation: "Free space on the disk of the database, then try again.",
  },
  "53200": {
    errorCode: "RESOURCE_EXHAUSTED",
    why: "the database is out of memory",
    remediation: "Try again in a few seconds; lower store_pool, or give the database more memory.",
    retryAfterSeconds: 2,
  },
  "53300": tooManyConnections,
  "57014": tooSlow,
  "55P03": tooSlow,
  "25P03": tooSlow,
  "25P04": tooSlow,
  "26000": poolerUnsupported,
  "42P05": poolerUnsupported,
  "40001": conflicted,
  "40P01": conflicted,
  "42P01": noTables,
  "3F000": noTables,
};

/** Mappings of SQLSTATE classes, by their first two characters. */
const classes: Readonly<Record<string, ErrorMapping>> = {
  "08": unreachable,
  "53": {
    errorCode: "RESOURCE_EXHAUSTED",
    why: "the database has run out of a resource",
    remediation: "Find the resource in the log of PostgreSQL, then try again.",
    retryAfterSeconds: 2,
  },
  "58": failing,
  XX: failing,
};

/** Mappings of driver errors without a code, by their message. */
const messageMappings: readonly (readonly [RegExp, ErrorMapping])[] = [
  [/^Query read timeout/, noResponse],
  [/^(timeout exceeded when trying to connect|timeout expired)/i, unreachable],
  [
    /Connection terminated|Client has encountered a connection error|server conn crashed|not queryable/i,
    unreachable,
  ],
  [/does not support SSL|SSL connection/i, untrusted],
  [/SASL|password must be a string/i, noPermission("the database refuses the user or the password")],
];

/** Node error codes of an unreachable database. */
const unreachableCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_\w+|EACCES|ECONNABORTED|EADDRNOTAVAIL|ENOTSOCK|ENOBUFS|EMFILE|ENFILE)$/;

/** Node error codes of a failed certificate check or TLS handshake. */
const untrustedCodes = /^(EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Finds the mapping of an SQLSTATE, a Node error code or a driver message. Returns undefined for unknown errors. */
export function findErrorMapping(code: string, message: string): ErrorMapping | undefined {
  if (/^57P0\d$/.test(code) || unreachableCodes.test(code)) return unreachable;
  if (untrustedCodes.test(code)) return untrusted;
  if (Object.hasOwn(mappings, code)) return mappings[code];
  // A code with five characters is an SQLSTATE.
  const ofClass = code.length === 5 ? classes[code.slice(0, 2)] : undefined;
  return ofClass ?? messageMappings.find(([pattern]) => pattern.test(message))?.[1];
}
