import { type ErrorCode, errorCatalogue } from "@foundry-mcp/contract";

/** The error code for each HTTP status whose meaning is more specific than that of its class (4xx or 5xx). */
const statuses: Readonly<Record<number, ErrorCode>> = {
  401: "UNAUTHORIZED",
  402: "FORBIDDEN",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "NOT_IMPLEMENTED",
  408: "TIMEOUT",
  409: "CONFLICT",
  410: "NOT_FOUND",
  412: "VERSION_CONFLICT",
  413: "CONTENT_TOO_LARGE",
  415: "INVALID_FORMAT",
  423: "RESOURCE_BUSY",
  425: "UNAVAILABLE",
  429: "RATE_LIMIT_EXCEEDED",
  501: "NOT_IMPLEMENTED",
  503: "UNAVAILABLE",
  504: "TIMEOUT",
  507: "RESOURCE_EXHAUSTED",
};

/** Returns the error code of an HTTP status; undefined for a status that is not a failure. */
export function codeOfStatus(status: number): ErrorCode | undefined {
  if (!Number.isInteger(status) || status < 400 || status > 599) return undefined;
  return statuses[status] ?? (status < 500 ? "VALIDATION_ERROR" : "UPSTREAM_ERROR");
}

/** The error code for each error number of JSON-RPC, MCP and SDK 1.x. */
const rpcNumbers: Readonly<Record<number, ErrorCode>> = {
  [-32700]: "INVALID_FORMAT",
  [-32600]: "INVALID_FORMAT",
  [-32601]: "NOT_IMPLEMENTED",
  [-32602]: "VALIDATION_ERROR",
  [-32001]: "TIMEOUT",
  [-32002]: "NOT_FOUND",
  // The next four numbers mean: header mismatch, missing client capability, unsupported protocol version, URL
  // elicitation required.
  [-32020]: "INVALID_FORMAT",
  [-32021]: "NOT_IMPLEMENTED",
  [-32022]: "NOT_IMPLEMENTED",
  [-32042]: "NOT_IMPLEMENTED",
};

/** Returns the error code of a JSON-RPC number; undefined for an unspecific number, such as -32603. */
export function codeOfRpcNumber(number: number): ErrorCode | undefined {
  return rpcNumbers[number];
}

/** The error codes for names used by other systems (Node, gRPC, envelope-v1, common APIs). */
const synonyms: Readonly<Record<string, ErrorCode>> = {
  ABORTED: "CONFLICT",
  ACCESS_DENIED: "FORBIDDEN",
  AUTHENTICATION: "UNAUTHORIZED",
  BAD_REQUEST: "VALIDATION_ERROR",
  DEADLINE_EXCEEDED: "TIMEOUT",
  DUPLICATE: "DUPLICATE_ENTRY",
  EACCES: "FORBIDDEN",
  EBUSY: "RESOURCE_BUSY",
  ECONNREFUSED: "DEPENDENCY_UNAVAILABLE",
  ECONNRESET: "DEPENDENCY_UNAVAILABLE",
  EEXIST: "DUPLICATE_ENTRY",
  ENOENT: "NOT_FOUND",
  ENOTFOUND: "DEPENDENCY_UNAVAILABLE",
  EPERM: "FORBIDDEN",
  ETIMEDOUT: "TIMEOUT",
  FAILED_PRECONDITION: "INVALID_STATE",
  INVALID_ARGUMENT: "VALIDATION_ERROR",
  INVALID_INPUT: "VALIDATION_ERROR",
  INVALID_PARAMS: "VALIDATION_ERROR",
  INVALID_REQUEST: "VALIDATION_ERROR",
  PERMISSION: "FORBIDDEN",
  PERMISSION_DENIED: "FORBIDDEN",
  RATE_LIMIT: "RATE_LIMIT_EXCEEDED",
  RATE_LIMITED: "RATE_LIMIT_EXCEEDED",
  SERVICE_UNAVAILABLE: "UNAVAILABLE",
  TIMED_OUT: "TIMEOUT",
  TOO_LARGE: "CONTENT_TOO_LARGE",
  TOO_MANY_REQUESTS: "RATE_LIMIT_EXCEEDED",
  UNAUTHENTICATED: "UNAUTHORIZED",
  UNIMPLEMENTED: "NOT_IMPLEMENTED",
  VALIDATION: "VALIDATION_ERROR",
};

/** Returns the error code of a name in any spelling (`notFound`, `not_found`, `NotFoundError`); undefined for an unknown name. */
export function codeOfName(name: string): ErrorCode | undefined {
  if (name.length > 64) return undefined;
  const full = name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();
  for (const spelling of [full, full.replace(/_?(ERROR|EXCEPTION)$/, "")]) {
    if (Object.hasOwn(errorCatalogue, spelling)) return spelling as ErrorCode;
    if (Object.hasOwn(synonyms, spelling)) return synonyms[spelling];
  }
  return undefined;
}
